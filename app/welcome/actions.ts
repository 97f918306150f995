"use server";

import { z } from "zod";
import { NewPerson } from "@/lib/domain/people";
import { readNow } from "@/lib/services/clock";
import { acceptInvite, readInvite } from "@/lib/services/people";
import { strangerAction } from "@/lib/web/action";
import { callerDevice } from "@/lib/web/session";

const Invite = z.object({ token: z.string().max(200) });

export const look = strangerAction(Invite, async ({ token }) => readInvite(await readNow(), token));

export const accept = strangerAction(NewPerson, async (person) =>
  acceptInvite(await readNow(), person, await callerDevice()),
);
