import type { Route } from "next";
import { ButtonLink } from "@/components/ui/button";
import { Empty } from "@/components/ui/states";

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <Empty
        title="There is no such page"
        text="The address may be cut short, or what it showed has another name now. Nothing is lost."
        action={<ButtonLink href={"/" as Route}>To the overview</ButtonLink>}
      />
    </main>
  );
}
