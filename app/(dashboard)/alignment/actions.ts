"use server";

import { AcceptFindings, AssignFindings, ReopenFindings } from "@/lib/domain/alignment/view";
import { acceptDrifts, assignDrifts, reopenDrifts } from "@/lib/services/alignment/findings";
import { action } from "@/lib/web/action";

export const accept = action(AcceptFindings, acceptDrifts);
export const reopen = action(ReopenFindings, reopenDrifts);
export const assign = action(AssignFindings, assignDrifts);
