/** What a column of an invoice may hold. */
export const FIELDS = [
  "description",
  "charge",
  "resource",
  "sku",
  "region",
  "from",
  "to",
  "quantity",
  "unit",
  "rate",
  "amount",
] as const;
export type Field = (typeof FIELDS)[number];

export const FIELD_WORDS: Record<Field, string> = {
  description: "Description",
  charge: "Kind of charge",
  resource: "Machine or file system",
  sku: "Type (SKU)",
  region: "Region",
  from: "From",
  to: "To",
  quantity: "Quantity",
  unit: "Unit",
  rate: "Rate",
  amount: "Amount",
};
