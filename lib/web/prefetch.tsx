import "server-only";
import {
  type DataTag,
  dehydrate,
  HydrationBoundary,
  type InfiniteData,
  type QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import type { ReactNode } from "react";
import { makeQueryClient } from "@/lib/queries/client";

type Prefetch = (client: QueryClient) => Promise<unknown>;

/** Ask a browser query's question on the server, where the answer is a function call rather than a fetch. */
export function prefetch<T>(
  { queryKey }: { queryKey: DataTag<QueryKey, T, Error> },
  read: () => Promise<NoInfer<T>>,
): Prefetch {
  return (client) => client.query({ queryKey, queryFn: read }).catch(() => {});
}

/** The first page of a list that goes on. */
export function prefetchPages<T>(
  { queryKey }: { queryKey: DataTag<QueryKey, InfiniteData<T, unknown>, Error> },
  read: () => Promise<NoInfer<T>>,
): Prefetch {
  return (client) =>
    client.query({ queryKey, queryFn: async () => ({ pages: [await read()], pageParams: [null] }) }).catch(() => {});
}

/** The same with the answers in hand: for parts of a page that must not wait in the browser, and cannot. */
export async function HydrateReady({ reads, children }: { reads: Prefetch[]; children: ReactNode }) {
  const client = makeQueryClient();
  await Promise.all(reads.map((start) => start(client)));
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}

/** Start the reads without waiting; React streams each answer into the browser's cache. */
export function Hydrate({ reads, children }: { reads: Prefetch[]; children: ReactNode }) {
  const client = makeQueryClient();
  for (const start of reads) void start(client);
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}
