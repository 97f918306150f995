import { takeRemoteWrite } from "@/lib/web/ingest-write";

export const POST = takeRemoteWrite;
