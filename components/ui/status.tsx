import {
  Activity,
  BellOff,
  Check,
  CircleArrowDown,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleQuestionMark,
  CircleSlash,
  CircleX,
  ClockAlert,
  Info,
  Loader,
  type LucideIcon,
  Minus,
  OctagonAlert,
  RotateCw,
  TriangleAlert,
  Undo2,
  Unplug,
  UserCheck,
  X,
} from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "./badge";
import { cx } from "./cx";
import { SEVERITY, type Severity, type Shape, STATUS, type StatusEntry, type StatusKey } from "./status-vocabulary";

export const shapes: Record<Shape, LucideIcon> = {
  activity: Activity,
  "bell-off": BellOff,
  check: Check,
  "circle-arrow-down": CircleArrowDown,
  "circle-check": CircleCheck,
  "circle-dashed": CircleDashed,
  "circle-help": CircleQuestionMark,
  "circle-pause": CirclePause,
  "circle-slash": CircleSlash,
  "circle-x": CircleX,
  "clock-alert": ClockAlert,
  info: Info,
  loader: Loader,
  minus: Minus,
  "octagon-alert": OctagonAlert,
  "rotate-cw": RotateCw,
  "triangle-alert": TriangleAlert,
  "undo-2": Undo2,
  unplug: Unplug,
  "user-check": UserCheck,
  x: X,
};

type Props = {
  of: StatusKey;
  /** Instead of the vocabulary's word: the row's name, or the word with its details. */
  children?: ReactNode;
  className?: string | undefined;
};

/** A state on a soft ground: titles, cards, lists of few. */
export function StatusBadge({ of, children, className }: Props) {
  const { word, shape, tone }: StatusEntry = STATUS[of];
  return (
    <Badge tone={tone} icon={shapes[shape]} className={className}>
      {children ?? word}
    </Badge>
  );
}

/** A state in a row of text. Where the words are not the vocabulary's, its word is still said. */
export function Status({ of, children, className }: Props) {
  return <Line entry={STATUS[of]} isSaid={children !== undefined} text={children} className={className} />;
}

/** The shape alone, where a table's column says what it is of; its word is said. */
export function StatusMark({ of }: { of: StatusKey }) {
  const { word, shape, tone }: StatusEntry = STATUS[of];
  const Icon = shapes[shape];
  return (
    <span className={`status tone-${tone}`} title={word}>
      <Icon size={14} aria-hidden="true" />
      <span className="sr-only">{word}</span>
    </span>
  );
}

/** A severity in a row of text. */
export function SeverityLabel({ of, children, className }: Omit<Props, "of"> & { of: Severity }) {
  return <Line entry={SEVERITY[of]} isSaid={children !== undefined} text={children} className={className} />;
}

type LineProps = { entry: StatusEntry; isSaid: boolean; text: ReactNode; className: string | undefined };

function Line({ entry: { word, shape, tone }, isSaid, text, className }: LineProps) {
  const Icon = shapes[shape];
  return (
    <span className={cx("status", `tone-${tone}`, className)}>
      <Icon size={14} aria-hidden="true" />
      {isSaid && <span className="sr-only">{word}: </span>}
      <span className="ellipsis">{text ?? word}</span>
    </span>
  );
}

/** A small still dot with the word; it does not blink. */
export function Live({ children = "Live" }: { children?: ReactNode }) {
  return (
    <span className="status font-medium text-ok">
      <i className="live-dot text-ok-mark" />
      {children}
    </span>
  );
}
