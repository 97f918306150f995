"use client";

import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { SelectField, TextField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Panel, type Span } from "@/components/ui/panel";
import { Instant } from "@/components/ui/time";
import type { SettingsAnswer } from "@/lib/domain/settings";
import { settingsQuery } from "@/lib/queries/settings";
import { SettingForm } from "./setting-form";
import type { Act } from "./use-act";

type Locked = {
  /** Why this person may not change it; null where they may. */
  locked: string | null;
  span?: Span;
};

/** From which amount on a day that cost more than expected is listed. */
export function AnomalyPanel({ act, locked, span }: Locked & { act: Act<FormData, SettingsAnswer["anomalies"]> }) {
  const { data } = useLive(settingsQuery());
  const { minMicros } = data.anomalies;
  return (
    <Panel title="Budgets and anomalies" {...(span && { span })}>
      <SettingForm key={minMicros} act={act} locked={locked} fields={["least"]} done="The least anomaly is set">
        {(failure) => (
          <TextField
            label="Least anomaly of a day"
            name="least"
            inputMode="decimal"
            unit="USD"
            required
            defaultValue={dollars(minMicros)}
            hint="A day is listed from this much beyond what was expected. Who is told of how much is set in a rule."
            error={failure?.fields.least}
          />
        )}
      </SettingForm>
      <p className="pt-2 text-12">
        <Link className="link" href={"/cost/budgets" as Route}>
          Budgets are on a page of their own
        </Link>
      </p>
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
        Lambda’s interface does not list it. Prices of instances come from Lambda; negotiated ones are in the price
        book.
      </p>
    </Panel>
  );
}

/** In which zone days and months begin. */
export function AccountingPanel({ act, locked, span }: Locked & { act: Act<FormData, SettingsAnswer["accounting"]> }) {
  const { data } = useLive(settingsQuery());
  const { zone, price } = data.accounting;
  return (
    <Panel title="Accounting" sub="where days begin, which price holds" {...(span && { span })}>
      <SettingForm
        key={`${zone} ${price}`}
        act={act}
        locked={locked}
        fields={["zone", "price"]}
        done="It is set; the ledger follows within a minute"
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
            <SelectField
              label="When a price changes, a running machine"
              name="price"
              defaultValue={price}
              hint="Everything is worked out anew by it, from the beginning. Closed months stay; what differs is added to the open one."
              error={failure?.fields.price}
            >
              <option value="current">costs the new price from then on</option>
              <option value="launch">keeps the price of its launch</option>
            </SelectField>
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
