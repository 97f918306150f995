import { hash, verify } from "@node-rs/argon2";

/** OWASP's floor for argon2id; the parameters stand in the hash, so that they may grow. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const NOBODY = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$jY1bYlNbQzbWlCSxMZUy1Z9n6vQxkIYTp1ERmVJ5Zfg";

export async function hashPassword(password: string): Promise<string> {
  return oneOfTwo(() => hash(password, ARGON2));
}

/** Takes the same time where there is no hash to compare with. */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  return oneOfTwo(() => verify(passwordHash ?? NOBODY, password.slice(0, 200)).catch(() => false));
}

let hashing = 0;
const waiting: (() => void)[] = [];

/** Each hash takes 19 MiB; more than two at once would make sign-in a way to exhaust memory. */
async function oneOfTwo<T>(work: () => Promise<T>): Promise<T> {
  if (hashing >= 2) await new Promise<void>((resolve) => waiting.push(resolve));
  hashing++;
  try {
    return await work();
  } finally {
    hashing--;
    waiting.shift()?.();
  }
}
