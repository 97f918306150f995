import { z } from "zod";
import { NewTarget } from "@/lib/domain/targets";
import { createTarget, readTargets } from "@/lib/services/telemetry/targets";
import { get, post } from "@/lib/web/route";

export const GET = get(z.object({}), readTargets);

export const POST = post(NewTarget, createTarget);
