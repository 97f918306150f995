import { createInterface } from "node:readline/promises";
import { Email, Password, Role } from "@/lib/domain/people";
import { sealAccount } from "@/lib/services/break-glass";
import { changePerson, firstAdminLink, invite, listPeople, setPassword } from "@/lib/services/people";
import { env, withDatabase } from "./connect";
import { readArguments, UsageError, understand } from "./usage";

export async function user(given: string[]): Promise<number> {
  const { words, options } = readArguments(given);
  const [act, email, word] = words;
  return withDatabase(async (ctx) => {
    const find = async () => {
      const known = understand(Email, email ?? "");
      const person = (await listPeople(ctx)).find((one) => one.email === known);
      if (!person) throw new UsageError(`Nobody has the address ${known}.`);
      return person;
    };
    switch (act) {
      case "list": {
        for (const person of await listPeople(ctx))
          console.log(
            `${person.email.padEnd(40)} ${person.role.padEnd(9)} ${person.disabledAt ? "disabled" : (person.lastSeenAt?.toISOString() ?? "never seen")}`,
          );
        return 0;
      }
      case "first-link": {
        // The demo's people come by one click.
        const link = env.mode === "demo" ? null : await firstAdminLink(ctx.now);
        if (link) console.log(link);
        return 0;
      }
      case "invite": {
        const { url } = await invite(ctx, {
          role: understand(Role, options.role ?? "viewer"),
          name: options.name ?? "",
        });
        console.log(`${url}\nGood once, for 24 hours.`);
        return 0;
      }
      case "password": {
        const person = await find();
        const password = understand(Password, await ask(`New password for ${person.email}: `));
        await setPassword(ctx, { userId: person.id, password });
        console.log("The password is set; every session of this account has ended.");
        return 0;
      }
      case "role":
        await changePerson(ctx, { userId: (await find()).id, role: understand(Role, word ?? "") });
        return 0;
      case "disable":
        await changePerson(ctx, { userId: (await find()).id, isDisabled: true });
        return 0;
      case "break-glass": {
        const known = understand(Email, email ?? "");
        const { password } = await sealAccount(ctx, known);
        console.log(`${known}\n${password}`);
        console.error(
          "This password is shown once: put it where two people must go to get it. It comes in also where PASSWORD_SIGN_IN is 0; every use stands in the trail and raises a critical alert.",
        );
        return 0;
      }
      default:
        throw new UsageError(`user ${act ?? ""}: not understood.`);
    }
  });
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(question);
  lines.close();
  return answer;
}
