"use server";

import { MonthQuestion, SignPoint, SignReview } from "@/lib/domain/cost/close";
import * as close from "@/lib/services/cost/close";
import { action } from "@/lib/web/action";

export const beginClosing = action(MonthQuestion, close.beginClosing);
export const signPoint = action(SignPoint, close.signPoint);
export const signReview = action(SignReview, close.signReview);
export const closeMonth = action(MonthQuestion, close.closeMonth);
