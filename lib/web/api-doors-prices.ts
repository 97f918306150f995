import { ChargeId, CommitmentId, NewCharge, NewCommitment, NewPrice, PriceFile } from "@/lib/domain/cost/price-input";
import type { PricesAnswer } from "@/lib/domain/cost/price-view";
import { PricesTableQuestion } from "@/lib/domain/cost/tables";
import { shape } from "./answer-shape";
import { type ApiDoor, act, read } from "./api-door";

/** The price book, and what is billed beside the meters. */
export const PRICE_DOORS: readonly ApiDoor[] = [
  read(
    "/api/v1/cost/prices",
    "The price book with its history, charges and commitments. `?format=csv` and `?format=xlsx` give a `table` of it as a file.",
    {
      question: { PricesTableQuestion },
      answer: shape<PricesAnswer>({
        now: "number",
        zone: "string",
        mode: "string",
        prices: "array",
        changes: "array",
        charges: "array",
        commitments: "array",
        unpriced: "array",
        skus: "array",
        regions: "array",
      }),
      right: "cost:read",
    },
  ),
  {
    ...act("/api/v1/cost/prices", "Say what a price was, is or will be.", "price:write", { NewPrice }),
    answer: shape<{ replaced: number }>({ replaced: "number" }),
  },
  {
    ...act("/api/v1/cost/prices/import", "Import a price list, all of it or nothing.", "price:write", { PriceFile }),
    answer: shape<{ lines: number }>({ lines: "number" }),
  },
  act("/api/v1/cost/charges", "Enter a credit, tax or adjustment.", "price:write", { NewCharge }),
  act("/api/v1/cost/charges/{chargeId}/remove", "Take a charge back.", "price:write", { ChargeId }),
  act("/api/v1/cost/commitments/{commitmentId}/remove", "Take a commitment back.", "price:write", { CommitmentId }),
  act("/api/v1/cost/commitments", "Enter capacity that is paid for a term.", "price:write", { NewCommitment }),
];
