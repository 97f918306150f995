import { queryOptions } from "@tanstack/react-query";
import type { ChannelsAnswer } from "@/lib/domain/alerts/channels";
import type { PeopleAnswer, SessionsAnswer } from "@/lib/domain/people";
import type { ConnectionAnswer, HouseAnswer, SettingsAnswer } from "@/lib/domain/settings";
import type { SourcesAnswer } from "@/lib/domain/sources";
import type { TargetsAnswer } from "@/lib/domain/targets";
import type { TokensAnswer } from "@/lib/domain/tokens";
import { getJson } from "./fetch";

const OFTEN_MS = 5_000;
const SELDOM_MS = 30_000;

/** Every question of Settings starts with this word, so that an act can make all of them be asked again. */
export const SETTINGS_KEY = ["settings"] as const;

function query<T>(name: string, path: string, everyMs: number) {
  return queryOptions({
    queryKey: [...SETTINGS_KEY, name],
    queryFn: ({ signal }) => getJson<T>(path, {}, signal),
    refetchInterval: everyMs,
  });
}

export const settingsQuery = () => query<SettingsAnswer>("values", "/api/v1/settings", SELDOM_MS);
export const connectionQuery = () => query<ConnectionAnswer>("connection", "/api/v1/settings/connection", OFTEN_MS);
export const houseQuery = () => query<HouseAnswer>("house", "/api/v1/settings/house", SELDOM_MS);
export const peopleQuery = () => query<PeopleAnswer>("people", "/api/v1/people", SELDOM_MS);
export const sessionsQuery = () => query<SessionsAnswer>("sessions", "/api/v1/sessions", SELDOM_MS);
export const tokensQuery = () => query<TokensAnswer>("tokens", "/api/v1/tokens", SELDOM_MS);
export const sourcesQuery = () => query<SourcesAnswer>("sources", "/api/v1/sources", OFTEN_MS);
export const channelsQuery = () => query<ChannelsAnswer>("channels", "/api/v1/channels", OFTEN_MS);
export const targetsQuery = () => query<TargetsAnswer>("targets", "/api/v1/targets", OFTEN_MS);
