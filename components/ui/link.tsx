// biome-ignore lint/style/noRestrictedImports: this is the one that the others use
import NextLink, { type LinkProps } from "next/link";

/** A way to another page of ours. Every page is of this moment, so none is fetched before it is asked for. */
export function Link<Route>(props: LinkProps<Route>) {
  return <NextLink {...props} prefetch={false} />;
}
