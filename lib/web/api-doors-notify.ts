import { ChannelChange, ChannelId, type ChannelsAnswer, NewChannel } from "@/lib/domain/alerts/channels";
import { type HeartbeatAnswer, HeartbeatInput } from "@/lib/domain/notify/heartbeat";
import { type DeliveryLogAnswer, DeliveryLogQuestion } from "@/lib/domain/notify/log-view";
import {
  RouteChange,
  RouteFields,
  RouteId,
  RouteOrder,
  type RoutesAnswer,
  type UndeliveredAnswer,
  UndeliveredId,
} from "@/lib/domain/notify/route-input";
import { shape } from "./answer-shape";
import { type ApiDoor, act, read } from "./api-door";

/** Routes by which is set where alerts are told, and seen what was not delivered. */
export const NOTIFY_DOORS: readonly ApiDoor[] = [
  read("/api/v1/channels", "Where alerts are told, without the addresses.", {
    answer: shape<ChannelsAnswer>({ now: "number", channels: "array" }),
  }),
  {
    ...act("/api/v1/channels", "Adds a channel. A webhook's signing secret is answered this once.", "rule:write", {
      NewChannel,
    }),
    answer: shape<{ id: string; signingSecret: string | null }>({ id: "string", signingSecret: "string?" }),
  },
  act("/api/v1/channels/{channelId}", "Changes what a channel is told, or switches it.", "rule:write", {
    ChannelChange,
  }),
  act("/api/v1/channels/{channelId}/remove", "Removes a channel and forgets its address.", "rule:write", {
    ChannelId,
  }),
  act("/api/v1/channels/{channelId}/test", "Queues a test message.", "rule:write", { ChannelId }),

  read("/api/v1/routes", "Which alerts go to which channel, with what each takes now and what reaches nobody.", {
    answer: shape<RoutesAnswer>({ now: "number", routes: "array", channels: "array", unheard: "array" }),
  }),
  act("/api/v1/routes", "Adds a route behind the others.", "rule:write", { RouteFields }),
  act("/api/v1/routes/{routeId}", "Changes a route that nobody has changed meanwhile.", "rule:write", {
    RouteChange,
  }),
  act("/api/v1/routes/{routeId}/remove", "Removes a route.", "rule:write", { RouteId }),
  {
    ...act("/api/v1/routes/order", "Puts the routes into an order.", "rule:write", { RouteOrder }),
    answer: shape<{ ordered: number }>({ ordered: "number" }),
  },

  read("/api/v1/messages", "Every try to hand a message to a channel, newest first.", {
    question: { DeliveryLogQuestion },
    answer: shape<DeliveryLogAnswer>({ now: "number", rows: "array", isCut: "boolean", waiting: "object" }),
  }),
  read("/api/v1/messages/undelivered", "What could not be delivered, with the reasons.", {
    answer: shape<UndeliveredAnswer>({ now: "number", rows: "array" }),
  }),
  read("/api/v1/messages/undelivered/count", "How many messages could not be delivered.", {
    answer: shape<{ now: number; undelivered: number }>({ now: "number", undelivered: "number" }),
  }),
  act("/api/v1/messages/undelivered/{itemId}/send", "Sends a message again.", "rule:write", { UndeliveredId }),
  act("/api/v1/messages/undelivered/{itemId}/take-off", "Takes a message off the list.", "rule:write", {
    UndeliveredId,
  }),

  read("/api/v1/heartbeat", "Where this installation says that it lives, and the last answer.", {
    answer: shape<HeartbeatAnswer>({ now: "number", host: "string", last: "object?" }),
  }),
  {
    ...act("/api/v1/heartbeat", "Sets where the heartbeat goes; an empty address ends it.", "rule:write", {
      HeartbeatInput,
    }),
    answer: shape<{ host: string }>({ host: "string" }),
  },
];
