import { EventsQuestion, NewNote } from "@/lib/domain/events/view";
import { addNote } from "@/lib/services/events/note";
import { readEvents } from "@/lib/services/events/read";
import { get, post } from "@/lib/web/route";

export const GET = get(EventsQuestion, readEvents);
export const POST = post(NewNote, addNote);
