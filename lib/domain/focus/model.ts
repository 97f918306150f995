import { z } from "zod";

/** What one check of the official rule model asks; the arguments depend on the function. */
export type Check = {
  CheckFunction?: string | undefined;
  ColumnName?: string | undefined;
  /** How some conditions of the model name their column. */
  CheckCondition?: string | undefined;
  ColumnAName?: string | undefined;
  ColumnBName?: string | undefined;
  ResultColumnName?: string | undefined;
  ExpectedCount?: number | undefined;
  Value?: string | number | null | undefined;
  ModelRuleId?: string | undefined;
  Items?: Check[] | undefined;
  /** How some conditions of the model are bracketed. */
  AND?: Check | Check[] | undefined;
};

const Check: z.ZodType<Check> = z.lazy(() =>
  z.object({
    CheckFunction: z.string().optional(),
    ColumnName: z.string().optional(),
    CheckCondition: z.string().optional(),
    ColumnAName: z.string().optional(),
    ColumnBName: z.string().optional(),
    ResultColumnName: z.string().optional(),
    ExpectedCount: z.number().optional(),
    Value: z.union([z.string(), z.number()]).nullable().optional(),
    ModelRuleId: z.string().optional(),
    Items: z.array(Check).optional(),
    AND: z.union([z.array(Check), Check]).optional(),
  }),
);

const Rule = z.object({
  Type: z.enum(["Static", "Dynamic"]),
  ApplicabilityCriteria: z.array(z.string()),
  ValidationCriteria: z.object({
    MustSatisfy: z.string(),
    Keyword: z.string(),
    Requirement: Check,
    Condition: Check,
  }),
});
export type ModelRule = z.output<typeof Rule>;

/** The rule model as the FinOps Foundation publishes it for its validator. */
export const RuleModel = z.object({ ModelRules: z.record(z.string(), Rule) });
export type RuleModel = z.output<typeof RuleModel>;

/** Rules of the 1.2 model whose check says something else than their own sentence: checked here by the sentence. */
export const ERRATA: Readonly<Record<string, { Requirement?: Check; Condition?: Check }>> = {
  // "MUST be null when CommitmentDiscountId is null": the model checks that it is not.
  "CommitmentDiscountStatus-C-003-C": {
    Requirement: { CheckFunction: "CheckValue", ColumnName: "CommitmentDiscountStatus", Value: null },
  },
  // "when CommitmentDiscountId is not null and Charge Category is Usage": the model's condition is that it is null.
  "CommitmentDiscountStatus-C-004-C": {
    Condition: {
      CheckFunction: "AND",
      Items: [
        { CheckFunction: "CheckNotValue", ColumnName: "CommitmentDiscountId", Value: null },
        { CheckFunction: "CheckValue", ColumnName: "ChargeCategory", Value: "Usage" },
      ],
    },
  },
  // The allowed values of the column are Used and Unused; the model lists those of another.
  "CommitmentDiscountStatus-C-005-M": {
    Requirement: {
      CheckFunction: "OR",
      Items: [
        { CheckFunction: "CheckValue", ColumnName: "CommitmentDiscountStatus", Value: "Used" },
        { CheckFunction: "CheckValue", ColumnName: "CommitmentDiscountStatus", Value: "Unused" },
      ],
    },
  },
  // "when ChargeClass is not Correction": the model's condition is that it is.
  "ConsumedQuantity-C-006-C": {
    Condition: { CheckFunction: "CheckNotValue", ColumnName: "ChargeClass", Value: "Correction" },
  },
};
