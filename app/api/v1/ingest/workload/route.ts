import { takeWorkload } from "@/lib/web/ingest-workload";

export const POST = takeWorkload;
