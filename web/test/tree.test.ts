import { describe, expect, it } from "vitest";
import { GameTree, movesTo, pathTo, plyOf } from "../src/model/tree";

const names = (tree: GameTree) => tree.line().map((node) => node.move);

describe("a game with branches", () => {
  it("goes back and forth along the line without losing its end", () => {
    const tree = new GameTree({ kind: "standard" });
    ["f5", "d6", "c3"].forEach((move) => tree.play(move));
    tree.goTo(tree.ahead(-2));
    expect(tree.current.move).toBe("f5");
    expect(names(tree)).toEqual([null, "f5", "d6", "c3"]);
    tree.goTo(tree.ahead(99));
    expect(movesTo(tree.current)).toEqual(["f5", "d6", "c3"]);
    tree.goTo(tree.ahead(-99));
    expect(plyOf(tree.current)).toBe(0);
  });
  it("keeps what was played before as a branch and shows the new line", () => {
    const tree = new GameTree({ kind: "standard" });
    const first = tree.play("f5");
    const old = tree.play("d6");
    tree.goTo(first);
    tree.play("f6");
    expect(names(tree)).toEqual([null, "f5", "f6"]);
    expect(first.children.map((child) => child.move)).toEqual(["d6", "f6"]);
    tree.goTo(old);
    expect(names(tree)).toEqual([null, "f5", "d6"]);
  });
  it("steps into a move that was played before instead of doubling it", () => {
    const tree = new GameTree({ kind: "standard" });
    const first = tree.play("f5");
    tree.goTo(tree.root);
    expect(tree.play("f5")).toBe(first);
    expect(tree.root.children).toHaveLength(1);
  });
  it("removes a branch with all after it, and leaves it when standing on it", () => {
    const tree = new GameTree({ kind: "standard" });
    const first = tree.play("f5");
    const second = tree.play("d6");
    tree.play("c3");
    tree.remove(second);
    expect(tree.current).toBe(first);
    expect(names(tree)).toEqual([null, "f5"]);
    tree.remove(tree.root);
    expect(pathTo(tree.current)).toHaveLength(2);
  });
});
