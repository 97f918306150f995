import { ExtendLease } from "@/lib/domain/policies/view";
import { extendLease } from "@/lib/services/policies/lease";
import { post } from "@/lib/web/route";

export const POST = post(ExtendLease, extendLease);
