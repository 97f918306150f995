import { Download } from "lucide-react";
import { cx } from "./cx";

type Props = {
  /** The address of the table, with its filter. */
  href: string;
  /** What it is, for those who do not see where the links stand. */
  what: string;
  /** In a bar of filters: as high as they are, and not on a phone, where a bar has no room. */
  isInBar?: boolean;
};

/** The table that is shown, as a file of either kind. */
export function TableLinks({ href, what, isInBar = false }: Props) {
  const to = (format: string) => `${href}${href.includes("?") ? "&" : "?"}format=${format}`;
  const look = cx("btn", !isInBar && "btn-small");
  return (
    <span className={cx("table-links", isInBar && "not-phone")}>
      <a className={look} href={to("csv")} download aria-label={`${what} as CSV`}>
        <Download size={14} aria-hidden="true" />
        CSV
      </a>
      <a className={look} href={to("xlsx")} download aria-label={`${what} as XLSX`}>
        <Download size={14} aria-hidden="true" />
        XLSX
      </a>
    </span>
  );
}
