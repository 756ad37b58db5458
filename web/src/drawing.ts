// A graph of nodes and edges, drawn by Cytoscape in the colours of the page.
import cytoscape from "cytoscape";
import { colour, onColours } from "./colours";
import "./drawing.css";

export interface Node {
  id: string;
  label: string;
  is_own?: boolean;
  is_literal?: boolean;
  ring?: number; // how far from the middle, where there is one
}

export interface Edge {
  from: string;
  to: string;
  name: string;
}

const STYLES = "__________cytoscape_stylesheet"; // the id by which it knows its own styles
const LONGEST = 26; // characters of a label
const STEP = 1.3; // of a zoom
const CLOSEST = 1.1;
const MOST_NAMED_EDGES = 16; // more names are read only of the node that somebody points at
const SMALLEST = 7; // pixels of a letter; smaller ones are not drawn

/** Things that hang together near each other. */
const SPREAD: cytoscape.LayoutOptions = {
  name: "cose",
  animate: false,
  padding: 24,
  nodeRepulsion: () => 60_000,
  idealEdgeLength: () => 80,
  nodeOverlap: 30,
};

/** One thing in the middle, and all others around it, in rings that have room for their names. */
export const AROUND: cytoscape.LayoutOptions = {
  name: "concentric",
  animate: false,
  padding: 24,
  minNodeSpacing: 70,
  spacingFactor: 1.15,
  startAngle: Math.PI / 4,
  concentric: (node) => (node.hasClass("own") ? 99 : 50 - ((node.data("ring") as number) ?? 0)),
  levelWidth: () => 1,
};

const RINGS = [8, 16, 28]; // so many in each, from the inside

/** The ring in which a neighbour stands, by its place among them. */
export function ringOf(place: number): number {
  let before = 0;
  for (const [ring, room] of RINGS.entries()) {
    before += room;
    if (place < before) return ring;
  }
  return RINGS.length;
}

/** Draw a graph into an element; `open` is called with the node that somebody chose. */
export function draw(
  element: HTMLElement,
  nodes: Node[],
  edges: Edge[],
  open: (node: Node) => void,
  layout: cytoscape.LayoutOptions = SPREAD,
): cytoscape.Core {
  withoutInlineStyles();
  const drawn = cytoscape({
    container: element,
    elements: [
      ...nodes.map((node) => ({
        data: { ...node, name: cut(node.label) },
        classes: classes(node),
      })),
      ...edges.map((edge, index) => ({
        data: { id: `edge ${index}`, source: edge.from, target: edge.to, name: edge.name },
      })),
    ],
    style: styles(),
    layout,
    userZoomingEnabled: false, // a wheel scrolls the page; there are buttons
    minZoom: 0.2,
    maxZoom: 3,
    autoungrabify: false,
  });
  drawn.on("tap", "node", (event) => open(event.target.data() as Node));
  if (edges.length > MOST_NAMED_EDGES) drawn.edges().addClass("quiet");
  drawn.on("mouseover", "node", (event) => {
    element.classList.add("is-pointing");
    event.target.connectedEdges().addClass("pointed");
  });
  drawn.on("mouseout", "node", (event) => {
    element.classList.remove("is-pointing");
    event.target.connectedEdges().removeClass("pointed");
  });
  onColours(() => drawn.style(styles()));
  new ResizeObserver(() => {
    drawn.resize();
    fit(drawn);
  }).observe(element);
  return drawn;
}

/** Buttons to look closer, from farther away, and at all of it. */
export function zooming(drawn: cytoscape.Core): HTMLElement {
  const buttons = document.createElement("div");
  buttons.className = "graph-buttons";
  buttons.append(
    button("+", "Closer", () => zoom(drawn, STEP)),
    button("−", "Farther away", () => zoom(drawn, 1 / STEP)),
    button("⤢", "All of it", () => fit(drawn)),
  );
  return buttons;
}

/** All of it in the picture; little is not blown up. */
function fit(drawn: cytoscape.Core): void {
  drawn.fit(undefined, 16);
  if (drawn.zoom() > CLOSEST) {
    drawn.zoom(CLOSEST);
    drawn.center();
  }
}

function zoom(drawn: cytoscape.Core, by: number): void {
  const middle = { x: drawn.width() / 2, y: drawn.height() / 2 };
  drawn.zoom({ level: drawn.zoom() * by, renderedPosition: middle });
}

export function button(text: string, label: string, act: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button--quiet";
  made.textContent = text;
  made.setAttribute("aria-label", label);
  made.title = label;
  made.addEventListener("click", act);
  return made;
}

/** Our style sheet has what it would put into a <style>, which our pages do not allow. */
function withoutInlineStyles(): void {
  if (document.getElementById(STYLES)) return;
  const stands = document.createElement("meta");
  stands.id = STYLES;
  document.head.append(stands);
}

function classes(node: Node): string {
  return [node.is_own ? "own" : "", node.is_literal ? "literal" : ""].join(" ").trim();
}

function cut(label: string): string {
  return label.length > LONGEST ? `${label.slice(0, LONGEST - 1)}…` : label;
}

function styles(): cytoscape.StylesheetJson {
  const text = { color: colour("text"), "font-family": "system-ui, sans-serif" };
  return [
    {
      selector: "node",
      style: {
        ...text,
        label: "data(name)",
        "font-size": 12,
        "text-valign": "bottom",
        "text-margin-y": 4,
        "text-wrap": "wrap",
        "text-max-width": "100px",
        "text-overflow-wrap": "whitespace", // a word stays whole
        "min-zoomed-font-size": SMALLEST,
        "text-background-color": colour("surface"),
        "text-background-opacity": 0.85,
        "background-color": colour("series-1"),
        width: 18,
        height: 18,
      },
    },
    {
      selector: "node.own",
      style: {
        "background-color": colour("accent"),
        width: 30,
        height: 30,
        "text-max-width": "150px",
        "font-size": 14,
        "font-weight": "bold",
        "border-width": 3,
        "border-color": colour("accent-soft"),
      },
    },
    {
      selector: "node.literal",
      style: {
        shape: "round-rectangle",
        "background-color": colour("surface"),
        "border-width": 1,
        "border-color": colour("line-strong"),
      },
    },
    {
      selector: "edge",
      style: {
        color: colour("muted"),
        "font-family": "system-ui, sans-serif",
        label: "data(name)",
        "font-size": 10,
        "text-rotation": "autorotate",
        "text-background-color": colour("surface"),
        "text-background-opacity": 0.9,
        "text-background-padding": "2px",
        width: 1.2,
        "line-color": colour("line-strong"),
        "target-arrow-color": colour("line-strong"),
        "target-arrow-shape": "triangle",
        "arrow-scale": 0.8,
        "curve-style": "bezier",
        "min-zoomed-font-size": SMALLEST,
      },
    },
    { selector: "edge.quiet", style: { label: "" } },
    {
      selector: "edge.pointed",
      style: {
        label: "data(name)",
        width: 2.5,
        "line-color": colour("accent"),
        "target-arrow-color": colour("accent"),
        "z-index": 9,
      },
    },
  ];
}
