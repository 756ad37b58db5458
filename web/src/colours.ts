// The colours of the page, for what is drawn on a canvas; drawn anew where they change.

/** The colour that the style sheet gives a name. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim() || "gray";
}

/** The colours of series, in turn. */
export function seriesColour(index: number): string {
  return colour(`series-${(index % 6) + 1}`);
}

/** Call when dark becomes light, or the other way round. */
export function onColours(act: () => void): void {
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", act);
}
