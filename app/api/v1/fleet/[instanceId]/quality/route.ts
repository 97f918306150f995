import { QualityQuestion } from "@/lib/domain/telemetry/view";
import { readQuality } from "@/lib/services/telemetry/quality";
import { get } from "@/lib/web/route";

export const GET = get(QualityQuestion, readQuality);
