import { ShieldCheck } from "lucide-react";

/** Beside a name: no automation ends this machine. */
export function ProtectedMark({ reason }: { reason: string }) {
  return (
    <span className="ml-2 inline-flex align-[-2px] text-text-3" title={`Protected: ${reason || "no reason given"}`}>
      <ShieldCheck size={14} aria-hidden="true" />
      <span className="sr-only">protected</span>
    </span>
  );
}
