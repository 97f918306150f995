import { LoaderCircle, type LucideIcon } from "lucide-react";
import type { Route } from "next";
import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { cx } from "./cx";
import { Kbd } from "./kbd";
import { Link } from "./link";

/** `danger` is an outlined word on a page; `danger-solid` lives in confirmations only. */
export type ButtonLook = "primary" | "secondary" | "danger" | "danger-solid" | "ghost";
/** 24, 30 or 48 px; on a phone at least 44 px can be hit. */
export type ButtonSize = "small" | "normal" | "large";

type Shared = {
  look?: ButtonLook | undefined;
  size?: ButtonSize | undefined;
  icon?: LucideIcon | undefined;
  /** The key that does the same, written on the button. */
  hint?: string | undefined;
};

type ButtonProps = Shared & ComponentProps<"button"> & { isPending?: boolean | undefined };

function classes(look: ButtonLook, size: ButtonSize, isIcon: boolean, extra: string | undefined): string {
  return cx(
    "btn",
    look !== "secondary" && `btn-${look}`,
    size !== "normal" && `btn-${size}`,
    isIcon && "btn-icon",
    extra,
  );
}

function iconSize(size: ButtonSize | undefined): number {
  return size === "large" ? 20 : 14;
}

function ignore(event: MouseEvent) {
  event.preventDefault();
}

/** While pending it keeps its place and the focus, and does nothing. */
export function Button({
  look = "secondary",
  size = "normal",
  icon: Icon,
  hint,
  isPending,
  type = "button",
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={classes(look, size, false, className)}
      {...(isPending && { "aria-busy": true, "aria-disabled": true, onClick: ignore })}
    >
      {isPending ? (
        <LoaderCircle size={iconSize(size)} className="spin" aria-hidden="true" />
      ) : (
        Icon && <Icon size={iconSize(size)} aria-hidden="true" />
      )}
      {children}
      {hint !== undefined && <Kbd>{hint}</Kbd>}
    </button>
  );
}

type IconButtonProps = Omit<ButtonProps, "children" | "icon" | "hint" | "aria-label"> & {
  icon: LucideIcon;
  label: string;
};

/** A button without a word; the label is its name, and shows on hover. */
export function IconButton({
  icon: Icon,
  label,
  look = "secondary",
  size = "normal",
  isPending,
  type = "button",
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      title={label}
      {...rest}
      type={type}
      aria-label={label}
      className={classes(look, size, true, className)}
      {...(isPending && { "aria-busy": true, "aria-disabled": true, onClick: ignore })}
    >
      {isPending ? (
        <LoaderCircle size={iconSize(size)} className="spin" aria-hidden="true" />
      ) : (
        <Icon size={iconSize(size)} aria-hidden="true" />
      )}
    </button>
  );
}

type ButtonLinkProps = Shared & {
  href: Route;
  className?: string;
  children: ReactNode;
  prefetch?: boolean;
  target?: "_blank";
  onClick?: () => void;
};

/** Goes somewhere, and looks like a button. */
export function ButtonLink({
  look = "secondary",
  size = "normal",
  icon: Icon,
  hint,
  className,
  children,
  ...link
}: ButtonLinkProps) {
  return (
    <Link {...link} className={classes(look, size, false, className)}>
      {Icon && <Icon size={iconSize(size)} aria-hidden="true" />}
      {children}
      {hint !== undefined && <Kbd>{hint}</Kbd>}
    </Link>
  );
}
