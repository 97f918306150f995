import type { LineKind, VarianceClass, VarianceState } from "./types";

export const CLASS_WORDS: Record<VarianceClass, string> = {
  price: "Price",
  quantity: "Quantity",
  missing_in_ledger: "Not in the ledger",
  missing_on_invoice: "Not on the invoice",
  tax: "Tax",
  credit: "Credit",
  timing: "Timing",
  rounding: "Rounding",
};

export const STATE_WORDS: Record<VarianceState, string> = {
  open: "Open",
  accepted: "Accepted",
  disputed: "Disputed",
  explained: "Explained",
};

export const KIND_WORDS: Record<LineKind, string> = {
  usage: "Usage",
  storage: "Storage",
  commitment: "Commitment",
  credit: "Credit",
  tax: "Tax",
  adjustment: "Adjustment",
  rounding: "Rounding",
};
