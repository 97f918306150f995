"use client";

import { Popover } from "@/components/ui/popover";
import type { XidInfo } from "@/lib/domain/events/view";

type Props = { code: number; info: XidInfo | undefined };

/** The number of an Xid, which explains itself when pressed: what it means, what NVIDIA says to do, and what we say. */
export function XidCode({ code, info }: Props) {
  if (!info) return <b>{code}</b>;
  return (
    <Popover
      title={`Xid ${code}, ${info.meaning}`}
      trigger={
        <button type="button" className="xid-code" aria-label={`Xid ${code}, ${info.meaning}: what it means`}>
          {code}
        </button>
      }
    >
      <div className="xid-info">
        {info.note && <p>{info.note}</p>}
        <dl>
          <dt>On an instance</dt>
          <dd>{info.steps}</dd>
          <dt>NVIDIA, at once</dt>
          <dd>{info.immediate}</dd>
          {info.investigatory !== info.immediate && (
            <>
              <dt>NVIDIA, then</dt>
              <dd>{info.investigatory}</dd>
            </>
          )}
          <dt>Lies with</dt>
          <dd>{info.owner}</dd>
          {info.mnemonic && (
            <>
              <dt>Mnemonic</dt>
              <dd className="mono text-12 break-all">{info.mnemonic}</dd>
            </>
          )}
        </dl>
        {info.listed && <p className="muted">{info.listed}</p>}
        <p className="muted">
          Meaning and NVIDIA’s actions: NVIDIA Xid catalogue, October 2025. Severity, owner and what to do on an
          instance are Hopperdeck’s own.
        </p>
      </div>
    </Popover>
  );
}
