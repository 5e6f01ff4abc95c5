// Names of squares. Both games name the column by a letter and count rows from the top.

export function squareName(index: number, size: number): string {
  return String.fromCharCode(97 + (index % size)) + String(Math.floor(index / size) + 1);
}

/** The index of a named square, or `null` where there is none of that name on a board of this size. */
export function squareIndex(name: string, size: number): number | null {
  const match = /^([a-t])(\d{1,2})$/i.exec(name);
  if (!match) return null;
  const column = match[1]!.toLowerCase().charCodeAt(0) - 97;
  const row = Number(match[2]) - 1;
  return column < size && row >= 0 && row < size ? row * size + column : null;
}

/** Cells along one side. */
export function sizeOf(board: string): number {
  return Math.round(Math.sqrt(board.length));
}

export function count(board: string, symbol: "X" | "O" | "-"): number {
  let found = 0;
  for (const cell of board) if (cell === symbol) found += 1;
  return found;
}

/** The board as rows of text, with coordinates. */
export function boardText(board: string, side: "black" | "white"): string {
  const size = sizeOf(board);
  const header = "  " + Array.from({ length: size }, (_, column) => String.fromCharCode(97 + column)).join(" ");
  const rows = Array.from({ length: size }, (_, row) => `${row + 1} ${[...board.slice(row * size, (row + 1) * size)].join(" ")}`);
  return [header, ...rows, `${side === "black" ? "X" : "O"} to move`].join("\n");
}

/** The board turned by half a circle, or as it is. */
export function oriented(index: number, size: number, flipped: boolean): number {
  return flipped ? size * size - 1 - index : index;
}
