"use server";

import { GuardrailsChange } from "@/lib/domain/intents/guardrails-form";
import * as guardrails from "@/lib/services/guardrails";
import { action } from "@/lib/web/action";

export const changeGuardrails = action(GuardrailsChange, guardrails.changeGuardrails);
