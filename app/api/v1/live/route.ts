import { LiveQuestion } from "@/lib/domain/telemetry/view";
import { readLive } from "@/lib/services/telemetry/live";
import { getPacked } from "@/lib/web/packed";

export const GET = getPacked(LiveQuestion, readLive);
