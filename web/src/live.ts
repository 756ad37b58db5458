// Numbers that move: elements name the place of a snapshot that they show.
import { tell } from "./changing";
import { shown } from "./formats";
import { at, type Connection, onConnection, onSnapshot, type Snapshot } from "./snapshots";

const STATES: Record<Snapshot["state"], string> = {
  running: "Live",
  paused: "Paused",
  stopping: "About to end",
  none: "No crawl is running",
  away: "The folder changes hands",
};
const LOST = "Connection lost, trying again";

/** Have all that names a place show what is there, as it changes. */
export function watch(page: Document): void {
  let before: string | undefined;
  onConnection((connection) => connected(page, connection));
  onSnapshot((snapshot) => {
    state(page, STATES[snapshot.state] ?? snapshot.state, snapshot.state);
    if (snapshot.state === "away") return; // what was known last stays
    for (const element of all(page, "data-live")) value(element, snapshot);
    for (const element of all(page, "data-live-table")) rows(element, snapshot);
    for (const element of all(page, "data-live-show")) show(element, snapshot);
    if (before && snapshot.state !== before) tell(page, snapshot.state);
    before = snapshot.state;
  });
}

function all(page: Document, name: string): NodeListOf<HTMLElement> {
  return page.querySelectorAll<HTMLElement>(`[${name}]`);
}

function value(element: HTMLElement, snapshot: Snapshot): void {
  const found = at(snapshot, element.dataset.live ?? "");
  if (found !== undefined) set(element, shown(found, element.dataset.format));
}

/** Change text only where it differs: what does not change is not laid out, nor spoken, again. */
function set(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

function rows(body: HTMLElement, snapshot: Snapshot): void {
  const found = at(snapshot, body.dataset.liveTable ?? "");
  if (typeof found !== "object" || found === null) return;
  const counts = Object.entries(found as Record<string, number>)
    .filter(([, count]) => count)
    .sort(([, one], [, other]) => other - one);
  if (!counts.length) {
    body.replaceChildren(empty(body.dataset.empty ?? "none"));
    return;
  }
  const format = body.dataset.format;
  while (body.children.length > counts.length) body.lastElementChild?.remove();
  for (const [index, [name, count]] of counts.entries()) {
    let row = body.children[index];
    if (row?.children.length !== 2) {
      const made = line();
      if (row) row.replaceWith(made);
      else body.append(made);
      row = made;
    }
    set(row.children[0] as Element, name);
    set(row.children[1] as Element, shown(count, format));
  }
}

function line(): HTMLTableRowElement {
  const row = document.createElement("tr");
  const head = document.createElement("th");
  head.scope = "row";
  const cell = document.createElement("td");
  cell.className = "number";
  row.append(head, cell);
  return row;
}

function empty(text: string): HTMLTableRowElement {
  const row = document.createElement("tr");
  const cell = document.createElement("td");
  cell.colSpan = 2;
  cell.className = "faint";
  cell.textContent = text;
  row.append(cell);
  return row;
}

function show(element: HTMLElement, snapshot: Snapshot): void {
  const path = element.dataset.liveShow ?? "";
  const negated = path.startsWith("!");
  const [place = "", wanted] = path.replace(/^!/, "").split("=");
  const found = at(snapshot, place);
  const so = wanted === undefined ? Boolean(found) : wanted.split("|").includes(String(found));
  element.hidden = so === negated;
}

function connected(page: Document, connection: Connection): void {
  page.body.classList.toggle("is-lost", connection === "lost");
  for (const element of all(page, "data-live"))
    element.classList.toggle("is-stale", connection === "lost");
  if (connection === "lost") state(page, LOST, "lost");
}

function state(page: Document, text: string, name: string): void {
  for (const element of all(page, "data-live-state")) {
    set(element, text);
    element.dataset.state = name;
  }
}
