import { CopyButton } from "./copy-button";

/** A line for a terminal, with a button that copies it. */
export function CodeLine({ text, what }: { text: string; what: string }) {
  return (
    <div className="code">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </div>
  );
}

/** A term of a filter, or a query, in a line of text. */
export function Token({ children }: { children: string }) {
  return <span className="token">{children}</span>;
}
