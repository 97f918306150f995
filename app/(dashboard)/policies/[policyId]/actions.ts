"use server";

import { PolicyChange, PolicyVersion } from "@/lib/domain/policies/policy";
import { KeepTarget } from "@/lib/domain/policies/view";
import {
  armPolicy,
  changePolicy,
  keepTarget,
  pausePolicy,
  removePolicy,
  shadowPolicy,
} from "@/lib/services/policies/policies";
import { action } from "@/lib/web/action";

export const change = action(PolicyChange, changePolicy);
export const arm = action(PolicyVersion, armPolicy);
export const pause = action(PolicyVersion, pausePolicy);
export const shadow = action(PolicyVersion, shadowPolicy);
export const remove = action(PolicyVersion, removePolicy);
export const keep = action(KeepTarget, keepTarget);
