import type { Figure } from "./formula";

/** What a figure's formula comes to with its amounts; null where one of its numbers has none. For tests: a figure must be what its formula says. */
export function evaluated({ formula, numbers }: Figure): number | null {
  const amounts = new Map(numbers.flatMap(({ key, amount }) => (amount === undefined ? [] : [[key, amount] as const])));
  if (amounts.size < numbers.length) return null;
  const tokens = formula.match(/\{[a-zA-Z0-9_]+\}|max|min|\d+(?:\.\d+)?|[+−×÷(),⌈⌉]/g) ?? [];
  let at = 0;
  const take = (wanted: string) => {
    if (tokens[at] !== wanted) throw new SyntaxError(`${formula}: ${wanted} awaited at ${at}, found ${tokens[at]}`);
    at += 1;
  };
  const list = (): number[] => {
    take("(");
    const found = [sum()];
    while (tokens[at] === ",") {
      at += 1;
      found.push(sum());
    }
    take(")");
    return found;
  };
  const atom = (): number => {
    const token = tokens[at] ?? "";
    if (token === "max" || token === "min") {
      at += 1;
      return Math[token](...list());
    }
    if (token === "(") {
      at += 1;
      const inner = sum();
      take(")");
      return inner;
    }
    if (token === "⌈") {
      at += 1;
      const inner = sum();
      take("⌉");
      return Math.ceil(inner - 1e-9);
    }
    at += 1;
    const number = token.startsWith("{") ? amounts.get(token.slice(1, -1)) : Number(token);
    if (number === undefined || Number.isNaN(number)) throw new SyntaxError(`${formula}: ${token} is no number`);
    return number;
  };
  const product = (): number => {
    let value = atom();
    while (tokens[at] === "×" || tokens[at] === "÷") {
      const sign = tokens[at];
      at += 1;
      const next = atom();
      value = sign === "×" ? value * next : value / next;
    }
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (tokens[at] === "+" || tokens[at] === "−") {
      const sign = tokens[at];
      at += 1;
      const next = product();
      value = sign === "+" ? value + next : value - next;
    }
    return value;
  };
  const value = sum();
  if (at < tokens.length) throw new SyntaxError(`${formula}: nothing awaited at ${tokens[at]}`);
  return value;
}
