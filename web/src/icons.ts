// Small pictures for buttons.

const SVG = "http://www.w3.org/2000/svg";

/** A picture out of one path, of 24 by 24. */
export function icon(path: string): SVGSVGElement {
  const made = document.createElementNS(SVG, "svg");
  made.setAttribute("viewBox", "0 0 24 24");
  made.setAttribute("aria-hidden", "true");
  const drawn = document.createElementNS(SVG, "path");
  drawn.setAttribute("d", path);
  drawn.setAttribute("fill", "currentColor");
  made.append(drawn);
  return made;
}
