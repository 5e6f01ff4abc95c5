// Our own few icons, drawn on a grid of 24 with a stroke of the text's colour.

const PATHS = {
  first: "M6 5v14M18 6l-8 6 8 6z",
  back: "M15 6l-7 6 7 6",
  forward: "M9 6l7 6-7 6",
  last: "M18 5v14M6 6l8 6-8 6z",
  undo: "M9 7L4.5 11.5 9 16M5 11.5h9a5 5 0 0 1 0 10h-3",
  flip: "M7 4v15m0 0l-3.5-3.5M7 19l3.5-3.5M17 20V5m0 0l-3.5 3.5M17 5l3.5 3.5",
  pause: "M8.5 6v12M15.5 6v12",
  run: "M8 5.5v13l10-6.5z",
  hint: "M9.5 18.5h5M10 21h4M8.5 15.5C6.8 14.3 6 12.5 6 10.6a6 6 0 0 1 12 0c0 1.9-.8 3.7-2.5 4.9z",
  share: "M12 15V4m0 0L8 8m4-4l4 4M5 13v5.5A1.5 1.5 0 0 0 6.5 20h11a1.5 1.5 0 0 0 1.5-1.5V13",
  settings: "M4 7h9m5 0h2M4 12h3m5 0h8M4 17h9m5 0h2M15.5 5v4M9.5 10v4M15.5 15v4",
  keys: "M3.5 7h17v10h-17zM7 10h.01M10 10h.01M13 10h.01M16.5 10h.01M7 14h10",
  edit: "M5 19l.8-3.8L16 5l3 3L8.8 18.2zM14 7l3 3",
  play: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM10.2 8.8v6.4l5-3.2z",
  close: "M6 6l12 12M18 6L6 18",
  new: "M12 5v14M5 12h14",
  pass: "M4 12h12m0 0l-4.5-4.5M16 12l-4.5 4.5M20 6v12",
  check: "M5 12.5l4.5 4.5L19 7.5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
