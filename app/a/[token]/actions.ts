"use server";

import { z } from "zod";
import { readNow } from "@/lib/services/clock";
import { takeByLink } from "@/lib/services/notify/links";
import { strangerAction } from "@/lib/web/action";

const Link = z.object({ token: z.string().min(20).max(100) });

/** The token in the link is the right: whoever was sent the message may take the alert, once. */
export const take = strangerAction(Link, async ({ token }) => takeByLink(await readNow(), token));
