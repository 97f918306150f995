"use client";

import { lazy, type ReactElement, Suspense, useState } from "react";
import type { Theme } from "@/components/ui/theme";

const MeItems = lazy(() => import("./me-items").then((module) => ({ default: module.MeItems })));

type Props = { name: string; email: string; role: string; theme: Theme };

/** Who is looking. What can be done with that comes with the first press, so that no page waits for it. */
export function MeMenu({ name, email, role, theme }: Props) {
  const [isUsed, setUsed] = useState(false);
  const button: ReactElement = (
    <button
      type="button"
      className="me"
      aria-haspopup="menu"
      aria-label={`${name}, ${role}: account`}
      {...(!isUsed && { onClick: () => setUsed(true) })}
    >
      <i className="avatar" aria-hidden="true">
        {initials(name)}
      </i>
      <span>
        {name}
        <small>{role}</small>
      </span>
    </button>
  );
  if (!isUsed) return button;
  return (
    <Suspense fallback={button}>
      <MeItems trigger={button} email={email} theme={theme} />
    </Suspense>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return ((words[0]?.[0] ?? "") + (words.length > 1 ? (words.at(-1)?.[0] ?? "") : (words[0]?.[1] ?? ""))).toUpperCase();
}
