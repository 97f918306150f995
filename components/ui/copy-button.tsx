"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button, IconButton } from "./button";

type Props = {
  text: string;
  /** What is copied: "instance id", "command". */
  what: string;
  /** Without a word, for the end of a row. */
  isIcon?: boolean;
  /** The button's word until it is pressed. */
  word?: string;
};

const SHOWN_MS = 2000;

export function CopyButton({ text, what, isIcon = false, word: ready = "Copy" }: Props) {
  const [state, setState] = useState<"ready" | "copied" | "failed">("ready");

  useEffect(() => {
    if (state === "ready") return;
    const timer = setTimeout(() => setState("ready"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = async () => setState((await copyText(text)) ? "copied" : "failed");
  const icon = state === "copied" ? Check : Copy;
  const word = { ready, copied: "Copied", failed: "Not copied" }[state];
  return (
    <>
      {isIcon ? (
        <IconButton icon={icon} label={`${word} ${what}`} size="small" look="ghost" onClick={copy} />
      ) : (
        <Button
          icon={icon}
          size="small"
          onClick={copy}
          aria-label={ready === word && ready !== "Copy" ? `Copy ${what}` : `${word} ${what}`}
        >
          {word}
        </Button>
      )}
      <span className="sr-only" aria-live="polite">
        {state === "ready" ? "" : `${word} ${what}`}
      </span>
    </>
  );
}

/** Pages served over plain http have no clipboard; there a selection and the old command must do. */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  document.body.append(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  return isDone;
}
