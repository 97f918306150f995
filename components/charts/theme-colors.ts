"use client";

import { useEffect, useState } from "react";

/** What a token is at this moment, for a canvas: custom properties keep both schemes, only a used colour is one. */
function readColors<Name extends string>(names: readonly Name[]): Record<Name, string> {
  const probe = document.createElement("span");
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const colors = Object.fromEntries(
    names.map((name) => {
      probe.style.color = `var(--${name})`;
      return [name, style.color];
    }),
  );
  probe.remove();
  // Object.fromEntries forgets which keys it was given.
  return colors as Record<Name, string>;
}

/** Colours of tokens ("seq-1", "warn-mark") as a canvas takes them; read again when the theme changes, null at first. */
export function useThemeColors<Name extends string>(names: readonly Name[]): Record<Name, string> | null {
  const [colors, setColors] = useState<Record<Name, string> | null>(null);
  const key = names.join(" ");

  // biome-ignore lint/correctness/useExhaustiveDependencies: the names are compared by what they say
  useEffect(() => {
    const read = () => setColors(readColors(names));
    read();
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", read);
    const chosen = new MutationObserver(read);
    chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      system.removeEventListener("change", read);
      chosen.disconnect();
    };
  }, [key]);
  return colors;
}
