"use client";

import { type ReactNode, useState } from "react";
import { Popover } from "@/components/ui/popover";
import { type Figure, inNumbers, inWords, sourcesOf } from "@/lib/domain/plan/formula";

type Props = {
  figure: Figure;
  /** Other than the figure's own value. */
  children?: ReactNode;
  align?: "start" | "center" | "end";
};

/** A figure that opens its formula with the numbers in it: by pointer, thumb or keyboard. */
export function Formula({ figure, children, align = "end" }: Props) {
  const [isOpen, setOpen] = useState(false);
  // Pages have hundreds of figures; the window of each is made when somebody asks for it.
  const [isAsked, setAsked] = useState(false);
  const label = `${figure.name}: ${figure.value}. Show the formula`;
  const content = children ?? figure.value;
  if (!isAsked)
    return (
      <button
        type="button"
        className="formula-open"
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={false}
        // After the click is over: the window would take it for one beside it.
        onClick={() =>
          setTimeout(() => {
            setAsked(true);
            setOpen(true);
          })
        }
      >
        {content}
      </button>
    );
  return (
    <Popover
      title={figure.name}
      align={align}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button type="button" className="formula-open" aria-label={label}>
          {content}
        </button>
      }
    >
      <Steps figure={figure} />
    </Popover>
  );
}

function Steps({ figure }: { figure: Figure }) {
  const sources = sourcesOf(figure);
  return (
    <div className="formula">
      <p className="formula-words">{inWords(figure)}</p>
      <p className="formula-numbers">{inNumbers(figure)}</p>
      <dl className="facts">
        {figure.numbers.map(({ key, name, value, source }) => (
          <div key={key} className="contents">
            <dt>
              {name}
              {source && (
                <small>
                  {source.label}
                  {source.asOf && `, ${source.asOf}`}
                </small>
              )}
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {figure.notes.map((note) => (
        <p key={note} className="formula-note">
          {note}
        </p>
      ))}
      {sources.some(({ href }) => href !== undefined) && (
        <p className="formula-note">
          Sources:{" "}
          {sources
            .filter(({ href }) => href !== undefined)
            .map(({ label, href }, index) => (
              <span key={`${label} ${href}`}>
                {index > 0 && ", "}
                <a className="link" href={href} target="_blank" rel="noreferrer">
                  {label}
                </a>
              </span>
            ))}
        </p>
      )}
    </div>
  );
}
