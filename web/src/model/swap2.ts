// The swap2 opening of Gomoku as a sequence of who is to do what. One player lays three stones (black, white, black); the
// other takes a colour, or adds a white and a black stone, and then the first takes one.

export type Actor = "you" | "engine";

/** What is to be done next, and by whom. */
export interface Due {
  who: Actor;
  /** `lay` one stone of those of the opening, or `choose`: a colour, with three stones also to add two. */
  what: "lay" | "choose";
}

export const LAID_FIRST = 3;
export const LAID_AT_MOST = 5;

const other = (actor: Actor): Actor => (actor === "you" ? "engine" : "you");

/** The next step after so many stones, of an opening that this player laid and the other may have chosen to add stones to. */
export function due(layer: Actor, adding: boolean, stones: number): Due {
  if (stones < LAID_FIRST) return { who: layer, what: "lay" };
  if (stones >= LAID_AT_MOST) return { who: layer, what: "choose" };
  if (adding || stones > LAID_FIRST) return { who: other(layer), what: "lay" };
  return { who: other(layer), what: "choose" };
}
