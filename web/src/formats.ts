// How numbers are shown to people: the same words as web/wording.py has. Pure.

const NOTHING = "–";
const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function count(value: number): string {
  return whole(value);
}

function rate(value: number): string {
  return `${value.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 })}/s`;
}

function bytes(value: number): string {
  let shown = value;
  let unit = 0;
  while (Math.abs(shown) >= 1000 && unit < UNITS.length - 1) {
    shown /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || shown >= 100 ? 0 : 1;
  const number = shown.toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${number} ${UNITS[unit]}`;
}

function seconds(value: number): string {
  if (value < 1) return `${whole(value * 1000)} ms`;
  if (value < 60) return `${Number(value.toPrecision(3))} s`;
  const all = Math.round(value);
  if (all < 3600) return pair(all, 60, "min", 1, "s");
  if (all < 86400) return pair(all, 3600, "h", 60, "min");
  return pair(all, 86400, "d", 3600, "h");
}

function pair(all: number, large: number, name: string, small: number, next: string): string {
  const rest = Math.floor((all % large) / small);
  return `${whole(Math.floor(all / large))} ${name}${rest ? ` ${rest} ${next}` : ""}`;
}

function milliseconds(value: number): string {
  const shown = value * 1000;
  return `${shown >= 9.5 ? whole(shown) : Number(shown.toPrecision(2))} ms`;
}

function percent(value: number): string {
  return `${whole(value * 100)} %`;
}

const FORMATS: Record<string, (value: number) => string> = {
  count,
  rate,
  bytes,
  seconds,
  milliseconds,
  percent,
};

/** A value for people; a dash where there is none. */
export function shown(value: unknown, format = "count"): string {
  if (value === null || value === undefined) return NOTHING;
  if (typeof value !== "number") return String(value);
  return (FORMATS[format] ?? String)(value);
}
