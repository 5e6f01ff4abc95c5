import { describe, expect, it } from "vitest";
import { due } from "../src/model/swap2";

const steps = (layer: "you" | "engine", adding: boolean, from = 0) =>
  Array.from({ length: 6 - from }, (_, index) => due(layer, adding && index + from >= 3, index + from)).map(({ who, what }) => `${who} ${what}`);

describe("swap2", () => {
  it("lets the other choose after three stones of the first", () => {
    expect(steps("you", false).slice(0, 4)).toEqual(["you lay", "you lay", "you lay", "engine choose"]);
    expect(due("engine", false, 3)).toEqual({ who: "you", what: "choose" });
  });

  it("gives the choice back when two stones are added", () => {
    expect(steps("engine", true)).toEqual(["engine lay", "engine lay", "engine lay", "you lay", "you lay", "engine choose"]);
    expect(steps("you", true).slice(3)).toEqual(["engine lay", "engine lay", "you choose"]);
  });
});
