import { InstancePageQuestion } from "@/lib/domain/fleet/view";
import { readInstance } from "@/lib/services/fleet/instance";
import { get } from "@/lib/web/route";

export const GET = get(InstancePageQuestion, readInstance);
