import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvLine } from "./csv";

describe("a line of CSV", () => {
  test("text is quoted only where it must be, and nothing is known of null", () => {
    expect(csvLine(["a", 'say "hi"', "x,y", "two\r\nlines", null, ""])).toBe(
      'a,"say ""hi""","x,y","two\r\nlines",,\r\n',
    );
  });

  test.each(["=1+1", "+1", "-1", "@sum", "\tx", "\rx", "\nx", "\0x", "＝1", "＋1", "－1", "＠x"])(
    "a name that begins like a formula is text: %j",
    (name) => {
      const [[cell]] = parse(csvLine([name, 1])) as string[][] as [[string]];
      expect(cell).toBe(`'${name}`);
    },
  );

  test("numbers stay numbers, also below zero", () => {
    expect(csvLine([-1, -2n, { number: "-3.500000" }, true])).toBe("-1,-2,-3.500000,true\r\n");
  });

  test("what another program reads is what was written", () => {
    const harmless = fc.string({ unit: "grapheme" }).filter((text) => !/^[=+\-@\t\r\n\0＝＋－＠]/.test(text));
    fc.assert(
      fc.property(fc.array(harmless, { minLength: 2, maxLength: 6 }), (cells) => {
        expect(parse(csvLine(cells), { record_delimiter: "\r\n" })).toEqual([cells]);
      }),
    );
  });
});
