"use server";

import { NewPolicy } from "@/lib/domain/policies/policy";
import { createPolicy } from "@/lib/services/policies/policies";
import { action } from "@/lib/web/action";

export const create = action(NewPolicy, createPolicy);
