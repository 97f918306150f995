"use client";

import { useLive } from "@/components/page/use-live";
import { TextField } from "@/components/ui/field";
import { Panel, type Span } from "@/components/ui/panel";
import { Instant } from "@/components/ui/time";
import { formatUsdWhole } from "@/lib/domain/format";
import type { SettingsAnswer } from "@/lib/domain/settings";
import { settingsQuery } from "@/lib/queries/settings";
import { SettingForm } from "./setting-form";
import type { Act } from "./use-act";

type Locked = {
  /** Why this person may not change it; null where they may. */
  locked: string | null;
  span?: Span;
};

/** The month's budget of the whole fleet. */
export function BudgetPanel({ act, locked, span }: Locked & { act: Act<FormData, SettingsAnswer["budget"]> }) {
  const { data } = useLive(settingsQuery());
  const { monthMicros } = data.budget;
  return (
    <Panel title="Budget" sub="a month, the whole fleet" {...(span && { span })}>
      <SettingForm key={monthMicros} act={act} locked={locked} fields={["month"]} done="The budget is set">
        {(failure) => (
          <TextField
            label="Budget for a month"
            name="month"
            inputMode="decimal"
            unit="USD"
            defaultValue={monthMicros === null ? "" : dollars(monthMicros)}
            placeholder="none"
            hint={
              monthMicros === null
                ? "Empty: no budget. Cost and Overview draw it beside the forecast."
                : `${formatUsdWhole(monthMicros)} now. Empty it for no budget.`
            }
            error={failure?.fields.month}
          />
        )}
      </SettingForm>
    </Panel>
  );
}

/** What storage costs: Lambda’s interface does not say. */
export function StoragePricePanel({ act, locked, span }: Locked & { act: Act<FormData, { micros: string }> }) {
  const { data } = useLive(settingsQuery());
  const { storagePrice } = data;
  return (
    <Panel title="Storage price" sub="per GiB and month" {...(span && { span })}>
      <SettingForm
        key={storagePrice?.micros}
        act={act}
        locked={locked}
        fields={["gibMonth"]}
        done="The storage price is set; the ledger follows within a minute"
      >
        {(failure) => (
          <TextField
            label="Price of a GiB for a month of 720 h"
            name="gibMonth"
            inputMode="decimal"
            required
            unit="USD"
            defaultValue={storagePrice === null ? "" : dollars(storagePrice.micros)}
            placeholder="0.20"
            hint={
              storagePrice === null ? (
                "Not set: storage is counted, without a price. The first price also holds for what is behind."
              ) : (
                <>
                  Since <Instant at={storagePrice.since} year />. A new price holds from now on.
                </>
              )
            }
            error={failure?.fields.gibMonth}
          />
        )}
      </SettingForm>
      <p className="muted pt-2 text-12">
        Lambda’s interface does not list it. Prices of instances come from Lambda and are not typed in.
      </p>
    </Panel>
  );
}

/** In which zone days and months begin. */
export function AccountingPanel({ act, locked, span }: Locked & { act: Act<FormData, SettingsAnswer["accounting"]> }) {
  const { data } = useLive(settingsQuery());
  const { zone } = data.accounting;
  return (
    <Panel title="Accounting time zone" sub="where days and months begin" {...(span && { span })}>
      <SettingForm
        key={zone}
        act={act}
        locked={locked}
        fields={["zone"]}
        done="The accounting zone is set; the ledger follows within a minute"
      >
        {(failure) => (
          <>
            <TextField
              label="Time zone"
              name="zone"
              required
              list="zones"
              defaultValue={zone}
              spellCheck={false}
              hint="Every day in the ledger is cut anew: sums of single days and months change, what was spent in all does not. Lambda bills in UTC."
              error={failure?.fields.zone}
            />
            <datalist id="zones">
              {ZONES.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          </>
        )}
      </SettingForm>
    </Panel>
  );
}

const ZONES = ["UTC", ...(typeof Intl.supportedValuesOf === "function" ? Intl.supportedValuesOf("timeZone") : [])];

/** Micro-dollars as people type them: "12000", "0.20". */
function dollars(micros: string): string {
  const digits = micros.padStart(7, "0");
  const fraction = digits.slice(-6).replace(/0+$/, "");
  return `${digits.slice(0, -6)}${fraction === "" ? "" : `.${fraction.padEnd(2, "0")}`}`;
}
