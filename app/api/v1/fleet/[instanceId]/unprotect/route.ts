import { ChangeProtection } from "@/lib/domain/intents/protection";
import { unprotectInstance } from "@/lib/services/intents/protection";
import { post } from "@/lib/web/route";

export const POST = post(ChangeProtection, unprotectInstance);
