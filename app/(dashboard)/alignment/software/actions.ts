"use server";

import { EndMigration, SignReview, StartMigration } from "@/lib/domain/alignment/view";
import { endMigration, signReview, startMigration } from "@/lib/services/alignment/software";
import { action } from "@/lib/web/action";

export const sign = action(SignReview, signReview);
export const start = action(StartMigration, startMigration);
export const end = action(EndMigration, endMigration);
