import { CommentOnAlert } from "@/lib/domain/alerts/acts";
import { commentOnAlert } from "@/lib/services/alerts/acknowledge";
import { post } from "@/lib/web/route";

export const POST = post(CommentOnAlert, commentOnAlert);
