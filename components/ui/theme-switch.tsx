"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useState } from "react";
import { Segmented } from "./segmented";
import { THEME_COOKIE, type Theme } from "./theme";

const YEAR_S = 31_536_000;

const options = [
  { value: "system", label: "System", icon: Monitor },
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
] as const;

/** Takes effect at once; the cookie lets the server paint the next page right from the start. */
export function ThemeSwitch({ theme }: { theme: Theme }) {
  const [chosen, setChosen] = useState(theme);
  const choose = (next: Theme) => {
    setChosen(next);
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    const age = next === "system" ? 0 : YEAR_S;
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is missing on pages served over plain http
    document.cookie = `${THEME_COOKIE}=${next}; path=/; max-age=${age}; samesite=lax`;
  };
  return <Segmented label="Theme" options={options} value={chosen} onChange={choose} />;
}
