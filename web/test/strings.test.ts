import { describe, expect, it } from "vitest";
import { en } from "../src/i18n/en";
import { ja } from "../src/i18n/ja";
import { zh } from "../src/i18n/zh";

const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

describe.each([["ja", ja], ["zh", zh]])("the sentences in %s", (_name, table) => {
  it.each(Object.keys(en) as (keyof typeof en)[])("%s holds the same values as in English", (key) => {
    expect(table[key].trim()).not.toBe("");
    expect(holes(table[key])).toEqual(holes(en[key]));
  });
});
