"use server";

import { ChargeId, CommitmentId, NewCharge, NewCommitment, NewPrice, PriceFile } from "@/lib/domain/cost/price-input";
import * as verbs from "@/lib/services/cost/price-verbs";
import { action } from "@/lib/web/action";

export const addPrice = action(NewPrice, verbs.addPrice);
export const previewPrices = action(PriceFile, verbs.previewPrices);
export const importPrices = action(PriceFile, verbs.importPrices);
export const addCharge = action(NewCharge, verbs.addCharge);
export const removeCharge = action(ChargeId, verbs.removeCharge);
export const addCommitment = action(NewCommitment, verbs.addCommitment);
export const removeCommitment = action(CommitmentId, verbs.removeCommitment);
