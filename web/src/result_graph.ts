// Triples as a graph: answers to CONSTRUCT and DESCRIBE, or rows of three columns.
import type Yasr from "@zazuko/yasr";
import type cytoscape from "cytoscape";
import { draw, type Edge, type Node, zooming } from "./drawing";
import { icon } from "./icons";
import { lastPart } from "./names";

interface Term {
  value: string;
  termType?: string;
  type?: string;
}

const MOST = 150; // edges: more are no picture

export class GraphPlugin {
  priority = 4;
  label = "Graph";
  private drawn: cytoscape.Core | undefined;

  constructor(private readonly yasr: Yasr) {}

  canHandleResults(): boolean {
    return this.triples().length > 0;
  }

  draw(): void {
    const triples = this.triples();
    const nodes = new Map<string, Node>();
    const edges: Edge[] = [];
    for (const [subject, property, object] of triples.slice(0, MOST)) {
      edges.push({
        from: put(nodes, subject),
        to: put(nodes, object),
        name: lastPart(property.value),
      });
    }
    const frame = document.createElement("div");
    frame.className = "graph is-drawn";
    const picture = document.createElement("div");
    picture.className = "graph-picture";
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", `${edges.length} statements between ${nodes.size} things`);
    frame.append(picture);
    this.yasr.resultsEl.replaceChildren(frame);
    this.drawn = draw(picture, [...nodes.values()], edges, open);
    frame.append(zooming(this.drawn));
    if (triples.length > MOST) {
      const more = document.createElement("p");
      more.className = "faint";
      more.textContent = `The first ${MOST} of ${triples.length} statements.`;
      frame.append(more);
    }
  }

  destroy(): void {
    this.drawn?.destroy();
    this.drawn = undefined;
  }

  getIcon(): Element {
    return icon(
      "M6 3a3 3 0 1 1-1 5.8v6.4A3 3 0 1 1 3 15V9A3 3 0 0 1 6 3zm12 6a3 3 0 1 1-2.8 4L9 9l1-2 6 3.4A3 3 0 0 1 18 9z",
    );
  }

  private triples(): [Term, Term, Term][] {
    const results = this.yasr.results;
    if (!results) return [];
    const statements = results.getStatements();
    if (statements?.length) {
      return statements.map((each) => [each.subject, each.predicate, each.object]);
    }
    const [one, two, three, ...more] = results.getVariables() ?? [];
    if (!one || !two || !three || more.length) return [];
    return (results.getBindings() ?? []).flatMap((row) => {
      const [subject, property, object] = [row[one], row[two], row[three]];
      const fits = subject && property && object && property.type === "uri";
      return fits && subject.type !== "literal" ? [[subject, property, object]] : [];
    });
  }
}

function put(nodes: Map<string, Node>, term: Term): string {
  const kind = (term.termType ?? term.type ?? "").toLowerCase();
  const literal = kind.includes("literal");
  const id = `${literal ? "literal" : "thing"} ${term.value}`;
  if (!nodes.has(id)) {
    const blank = kind === "bnode" || kind === "blanknode";
    const label = literal ? term.value : blank ? "" : lastPart(term.value);
    nodes.set(id, { id, label, is_literal: literal });
  }
  return id;
}

function open(node: Node): void {
  const iri = node.id.replace(/^thing /, "");
  if (!node.is_literal) window.location.assign(`/entity?id=${encodeURIComponent(iri)}`);
}
