import { takeMetrics } from "@/lib/web/ingest-metrics";

export const POST = takeMetrics;
