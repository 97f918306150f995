import { queryOptions } from "@tanstack/react-query";
import type { WallboardAnswer } from "@/lib/domain/wallboard";
import { AnswerError, askAs } from "./fetch";

/** Asked with the token in the link alone: a session in the same browser must not decide what a screen shows. */
export function wallboardQuery(token: string) {
  return queryOptions({
    queryKey: ["wallboard", token],
    queryFn: ({ signal }) => askAs<WallboardAnswer>("/api/v1/wallboard", token, signal),
    refetchInterval: 10_000,
    refetchIntervalInBackground: true,
    // A link that is not good any more stays so.
    retry: (count, error) => !(error instanceof AnswerError && error.status < 500) && count < 3,
  });
}
