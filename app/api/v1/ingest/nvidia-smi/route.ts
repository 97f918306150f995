import { takeReport } from "@/lib/web/ingest";

export const POST = takeReport;
