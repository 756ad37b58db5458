// The neighbourhood of a thing: the first few beside what is known of it, all of them in a dialog.
// The list of its links beside it says the same to those who do not see.
import { AROUND, button, draw, type Edge, type Node, ringOf, zooming } from "./drawing";
import { lastPart } from "./names";

interface Neighbourhood {
  nodes: { id: string; label: string | null; is_own: boolean }[];
  edges: Edge[];
  cut: boolean;
}

const AT_A_GLANCE = 8; // neighbours: more could not be read in so little room

/** Draw the neighbourhood of the thing that an element names, in the place of what is in it. */
export function graph(element: HTMLElement): void {
  const iri = element.dataset.graph ?? "";
  void fetch(`/api/entity/graph?id=${encodeURIComponent(iri)}`).then(async (answer) => {
    if (answer.ok) show(element, (await answer.json()) as Neighbourhood);
  });
}

function show(element: HTMLElement, told: Neighbourhood): void {
  if (told.nodes.length < 2) return;
  const title = element.dataset.title ?? "Neighbourhood";
  const few = first(told, AT_A_GLANCE);
  const pictured = picture(title, few);
  element.replaceChildren(pictured);
  element.classList.add("is-drawn");
  const buttons = zooming(around(pictured, few));
  const larger = button("Enlarge", "Enlarge: all neighbours", () => enlarge(title, told));
  larger.classList.add("graph-enlarge");
  buttons.prepend(larger);
  element.append(buttons);
  const [shown, all] = [few.nodes.length - 1, told.nodes.length - 1];
  if (shown < all) element.append(note(`${shown} of ${all} neighbours.`));
}

/** All of it, as large as the window. */
function enlarge(title: string, told: Neighbourhood): void {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog graph-dialog";
  dialog.setAttribute("aria-label", title);
  const head = document.createElement("div");
  head.className = "head";
  const heading = document.createElement("h2");
  heading.textContent = title;
  head.append(heading);
  const pictured = picture(title, told);
  dialog.append(head, pictured);
  if (told.cut) dialog.append(note("There are more; these are some of them."));
  document.body.append(dialog);
  dialog.showModal();
  const drawn = around(pictured, told);
  const buttons = zooming(drawn);
  buttons.append(button("×", "Close", () => dialog.close()));
  head.append(buttons);
  dialog.addEventListener("close", () => {
    drawn.destroy();
    dialog.remove();
  });
}

function picture(title: string, told: Neighbourhood): HTMLDivElement {
  const made = document.createElement("div");
  made.className = "graph-picture";
  made.setAttribute("role", "img");
  const links = told.edges.length === 1 ? "1 link" : `${told.edges.length} links`;
  const others = told.nodes.length - 1;
  made.setAttribute(
    "aria-label",
    `${title}: ${links}, ${others} ${others === 1 ? "neighbour" : "neighbours"}`,
  );
  return made;
}

function around(element: HTMLElement, told: Neighbourhood): ReturnType<typeof draw> {
  const open = (node: Node) => {
    if (!node.is_own) window.location.assign(`/entity?id=${encodeURIComponent(node.id)}`);
  };
  const others = told.nodes.filter((node) => !node.is_own);
  const nodes: Node[] = told.nodes.map((node) => ({
    ...node,
    label: node.label ?? named(node.id, told.edges),
    ring: others.length > AT_A_GLANCE ? ringOf(others.indexOf(node)) : 0,
  }));
  return draw(element, nodes, told.edges, open, AROUND);
}

/** The thing, so many of its neighbours, those with a name first, and the links among them. */
function first(told: Neighbourhood, most: number): Neighbourhood {
  const others = told.nodes.filter((node) => !node.is_own);
  const chosen = [
    ...others.filter((node) => node.label !== null),
    ...others.filter((node) => node.label === null),
  ].slice(0, most);
  const nodes = [...told.nodes.filter((node) => node.is_own), ...chosen];
  const ids = new Set(nodes.map((node) => node.id));
  const edges = told.edges.filter((edge) => ids.has(edge.from) && ids.has(edge.to));
  return { nodes, edges, cut: told.cut };
}

function note(text: string): HTMLParagraphElement {
  const made = document.createElement("p");
  made.className = "faint small";
  made.textContent = text;
  return made;
}

/** A name for what has none; a blank node is what it is to the thing: its address, its offer. */
function named(iri: string, edges: Edge[]): string {
  if (!iri.startsWith("gossamer-blank:")) return lastPart(iri);
  return edges.find((edge) => edge.to === iri || edge.from === iri)?.name ?? "no name";
}
