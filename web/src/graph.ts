// The neighbourhood of a thing. The list of its links beside it says the same to those who do not see.
import { AROUND, draw, type Edge, type Node, zooming } from "./drawing";
import { lastPart } from "./names";

interface Neighbourhood {
  nodes: { id: string; label: string | null; is_own: boolean }[];
  edges: Edge[];
  cut: boolean;
}

/** Draw the neighbourhood of the thing that an element names, in the place of what is in it. */
export function graph(element: HTMLElement): void {
  const iri = element.dataset.graph ?? "";
  void fetch(`/api/entity/graph?id=${encodeURIComponent(iri)}`).then(async (answer) => {
    if (answer.ok) show(element, (await answer.json()) as Neighbourhood);
  });
}

function show(element: HTMLElement, told: Neighbourhood): void {
  if (told.nodes.length < 2) return;
  const nodes: Node[] = told.nodes.map((node) => ({
    ...node,
    label: node.label ?? named(node.id),
  }));
  const picture = document.createElement("div");
  picture.className = "graph-picture";
  picture.setAttribute("role", "img");
  const links = told.edges.length === 1 ? "1 link" : `${told.edges.length} links`;
  picture.setAttribute(
    "aria-label",
    `${element.dataset.title ?? "Neighbourhood"}: ${links}, ${told.nodes.length - 1} neighbours`,
  );
  element.replaceChildren(picture);
  element.classList.add("is-drawn");
  const open = (node: Node) => {
    if (!node.is_own) window.location.assign(`/entity?id=${encodeURIComponent(node.id)}`);
  };
  const drawn = draw(picture, nodes, told.edges, open, AROUND);
  element.append(zooming(drawn));
  if (told.cut) element.append(note("There are more; these are some of them."));
}

function note(text: string): HTMLParagraphElement {
  const made = document.createElement("p");
  made.className = "faint";
  made.textContent = text;
  return made;
}

/** A name for what has none; of blank nodes even the IRI says nothing. */
function named(iri: string): string {
  return iri.startsWith("gossamer-blank:") ? "no name" : lastPart(iri);
}
