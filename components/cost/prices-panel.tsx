"use client";

import { Pencil, Plus } from "lucide-react";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button, IconButton } from "@/components/ui/button";
import { useTimeZone } from "@/components/ui/clock";
import { Panel } from "@/components/ui/panel";
import { Segmented } from "@/components/ui/segmented";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import type { PriceLine, PricesAnswer } from "@/lib/domain/cost/price-view";
import { formatClock, formatDay, formatInstant } from "@/lib/domain/format-time";
import { PriceDialog } from "./price-dialog";
import { PriceImport } from "./price-import";
import type { PriceActs } from "./price-room";
import { PER_WORDS, priceWords, regionWords, SOURCE_WORDS, skuWords, TIER_WORDS } from "./price-words";

type Shown = "now" | "all";
type Props = { data: PricesAnswer; acts: PriceActs; locked: string | null; canExport: boolean };

/** The intervals of the price book: those in force, or every one that was ever written down. */
export function PricesPanel({ data, acts, locked, canExport }: Props) {
  const [shown, setShown] = useState<Shown>("now");
  const lines = shown === "now" ? data.prices.filter((price) => price.isInForce) : data.prices;
  const sorted = shown === "now" ? [...lines].sort(byThing) : lines;
  return (
    <Panel
      span={8}
      isFlush
      title="Prices"
      sub={
        data.mode === "launch" ? "a running machine keeps its launch price" : "a minute costs what held when it began"
      }
      actions={
        <>
          <Segmented<Shown>
            label="Which prices"
            options={[
              { value: "now", label: "In force" },
              { value: "all", label: "History" },
            ]}
            value={shown}
            onChange={setShown}
          />
          {canExport && sorted.length > 0 && (
            <TableLinks href={`/api/v1/cost/prices?table=${shown === "now" ? "in_force" : "prices"}`} what="Prices" />
          )}
          {locked === null && (
            <>
              <PriceImport acts={acts} zone={data.zone} />
              <PriceDialog
                act={acts.addPrice}
                data={data}
                trigger={
                  <Button size="small" icon={Plus}>
                    Add
                  </Button>
                }
              />
            </>
          )}
        </>
      }
    >
      {sorted.length === 0 ? (
        <p className="muted panel-words">
          No price yet. Lambda’s list is read every minute once the account is connected.
        </p>
      ) : (
        <Table label={shown === "now" ? "Prices in force" : "All prices ever written down"}>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col" className="not-phone">
                Region
              </th>
              <th scope="col">Kind</th>
              <th scope="col" className="num">
                Price
              </th>
              <th scope="col">From</th>
              {shown === "all" && <th scope="col">To</th>}
              <th scope="col" className="not-phone">
                Source
              </th>
              {locked === null && (
                <th scope="col">
                  <span className="sr-only">Correct</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {sorted.map((price) => (
              <PriceRow key={price.id} price={price} isAll={shown === "all"} data={data} acts={acts} locked={locked} />
            ))}
          </tbody>
        </Table>
      )}
      <p className="muted panel-words">
        {locked ??
          "A price is never changed: a correction takes its place for the time you say, and what was believed stays in the history. Open months are worked out anew; closed ones get corrections in the open month."}
      </p>
    </Panel>
  );
}

function PriceRow({
  price,
  isAll,
  data,
  acts,
  locked,
}: Omit<Props, "canExport"> & { price: PriceLine; isAll: boolean }) {
  const isOld = price.supersededAt !== null;
  return (
    <tr className={isOld ? "muted" : undefined}>
      <th scope="row" className="font-normal">
        <span className={isOld ? "line-through" : "font-medium"}>{skuWords(price.sku)}</span>
        {price.note !== "" && <div className="muted text-12 whitespace-normal">{price.note}</div>}
      </th>
      <td className="not-phone">{regionWords(price.region)}</td>
      <td>
        {price.tier === "on_demand" ? TIER_WORDS.on_demand : <Badge tone="info">{TIER_WORDS[price.tier]}</Badge>}
        {price.supersededAt !== null && (
          <div className="text-12">
            corrected <When at={price.supersededAt} />
          </div>
        )}
      </td>
      <td className="num" title={PER_WORDS[price.unit]}>
        <b>{priceWords(price.micros)}</b>
        <span className="muted">{price.unit === "instance_hour" ? "/h" : "/GiB·mo"}</span>
      </td>
      <td>{price.from <= 0 ? "always" : <When at={price.from} />}</td>
      {isAll && <td>{price.to === null ? "open" : <When at={price.to} />}</td>}
      <td className="not-phone text-text-2">
        {SOURCE_WORDS[price.source]}
        {price.by !== null && `, ${price.by}`}
      </td>
      {locked === null && (
        <td>
          {!isOld && price.tier !== "committed" && (
            <PriceDialog
              act={acts.addPrice}
              data={data}
              price={price}
              trigger={<IconButton size="small" icon={Pencil} label={`Correct the price of ${skuWords(price.sku)}`} />}
            />
          )}
        </td>
      )}
    </tr>
  );
}

/** Day and time without the weekday: a column of a table that has two of them. */
function When({ at }: { at: number }) {
  const zone = useTimeZone();
  return (
    <span title={formatInstant(at, { timeZone: zone, year: true })}>
      {formatDay(at, zone, true)} <span className="muted">{formatClock(at, zone)}</span>
    </span>
  );
}

function byThing(a: PriceLine, b: PriceLine): number {
  const key = ({ unit, sku, region, tier }: PriceLine) => `${unit}/${sku}/${region}/${tier}`;
  return key(a) < key(b) ? -1 : 1;
}
