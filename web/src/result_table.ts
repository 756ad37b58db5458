// Rows as a table: things lead to their pages here, never to an address that a page made up.
import type Yasr from "@zazuko/yasr";
import { csv } from "./csv";
import { icon } from "./icons";
import { prefixed } from "./names";

interface Value {
  value: string;
  type: string;
  datatype?: string;
  "xml:lang"?: string;
}

type Row = Record<string, Value | undefined>;

const AT_ONCE = 100; // rows; more come when they are asked for
const LONGEST = 400; // characters of a value
const OF_A_BLANK = 8; // characters of a blank node's name
const NUMBER = /#(integer|decimal|double|float|int|long|short|byte|nonNegativeInteger)$/;

export class TablePlugin {
  priority = 10;
  label = "Table";
  private words = "";
  private by: { name: string; down: boolean } | undefined;
  private shown = AT_ONCE;

  constructor(private readonly yasr: Yasr) {}

  canHandleResults(): boolean {
    return Boolean(this.yasr.results?.getVariables()?.length);
  }

  draw(): void {
    this.words = "";
    this.by = undefined;
    this.shown = AT_ONCE;
    const filter = document.createElement("input");
    filter.type = "search";
    filter.placeholder = "Only rows with…";
    filter.setAttribute("aria-label", "Only rows with these letters");
    const frame = document.createElement("div");
    frame.className = "scroll";
    frame.tabIndex = 0;
    frame.setAttribute("role", "region");
    frame.setAttribute("aria-label", "Answer");
    filter.addEventListener("input", () => {
      this.words = filter.value.trim().toLowerCase();
      this.shown = AT_ONCE;
      this.fill(frame);
    });
    this.fill(frame);
    const found = this.rows().length > 10 ? [filter, frame] : [frame];
    this.yasr.resultsEl.replaceChildren(...found);
  }

  getIcon(): Element {
    return icon("M3 4h18v16H3zm2 6v3h6v-3zm8 0v3h6v-3zm-8 5v3h6v-3zm8 0v3h6v-3z");
  }

  download(filename = "answer"): unknown {
    return {
      contentType: "text/csv",
      getData: () => this.csv(),
      filename: `${filename}.csv`,
      title: "Take it along as CSV",
    };
  }

  private csv(): string {
    const names = this.yasr.results?.getVariables() ?? [];
    return csv(
      names,
      this.rows().map((row) => names.map((name) => row[name]?.value ?? "")),
    );
  }

  private fill(frame: HTMLElement): void {
    const rows = this.sorted();
    const table = document.createElement("table");
    table.append(this.head(frame), this.body(rows.slice(0, this.shown)));
    frame.replaceChildren(table);
    if (!rows.length) frame.append(note("No rows."));
    if (rows.length > this.shown) frame.append(this.more(frame, rows.length));
  }

  private head(frame: HTMLElement): HTMLTableSectionElement {
    const head = document.createElement("thead");
    const row = head.insertRow();
    for (const name of this.yasr.results?.getVariables() ?? []) {
      const cell = document.createElement("th");
      cell.scope = "col";
      if (this.hasNumbersAlone(name)) cell.className = "num";
      const is = this.by?.name === name;
      cell.setAttribute("aria-sort", is ? (this.by?.down ? "descending" : "ascending") : "none");
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.textContent = `${name}${is ? (this.by?.down ? " ↓" : " ↑") : ""}`;
      button.addEventListener("click", () => {
        this.by = { name, down: is && !this.by?.down };
        this.fill(frame);
        frame.querySelectorAll<HTMLButtonElement>("th button")[cell.cellIndex]?.focus();
      });
      cell.append(button);
      row.append(cell);
    }
    return head;
  }

  /** Whether a column's values are numbers, which stand at the right, and its title with them. */
  private hasNumbersAlone(name: string): boolean {
    const values = this.rows().flatMap((row) => row[name] ?? []);
    return values.length > 0 && values.every((value) => NUMBER.test(value.datatype ?? ""));
  }

  private body(rows: Row[]): HTMLTableSectionElement {
    const body = document.createElement("tbody");
    const prefixes = this.yasr.getPrefixes();
    for (const row of rows) {
      const line = body.insertRow();
      for (const name of this.yasr.results?.getVariables() ?? []) {
        fillCell(line.insertCell(), row[name], prefixes);
      }
    }
    return body;
  }

  private more(frame: HTMLElement, count: number): HTMLElement {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button--quiet";
    button.textContent = `More (${(count - this.shown).toLocaleString("en")})`;
    button.addEventListener("click", () => {
      this.shown += 10 * AT_ONCE;
      this.fill(frame);
    });
    return button;
  }

  private rows(): Row[] {
    return (this.yasr.results?.getBindings() ?? []) as Row[];
  }

  private sorted(): Row[] {
    const found = this.rows().filter((row) => !this.words || has(row, this.words));
    const by = this.by;
    if (!by) return found;
    const way = by.down ? -1 : 1;
    return found.toSorted((one, other) => way * compared(one[by.name], other[by.name]));
  }
}

function fillCell(
  cell: HTMLTableCellElement,
  value: Value | undefined,
  prefixes: Record<string, string>,
): void {
  if (!value) return;
  if (value.type === "literal" || value.type === "typed-literal") {
    cell.append(cut(value.value));
    if (NUMBER.test(value.datatype ?? "")) cell.className = "num";
    else if (value["xml:lang"]) cell.append(" ", tag(value["xml:lang"]));
    return;
  }
  const link = document.createElement("a");
  const iri = value.type === "bnode" ? `_:${value.value}` : value.value;
  link.textContent = value.type === "bnode" ? nameless(iri) : cut(prefixed(iri, prefixes));
  if (value.type === "bnode") link.className = "faint";
  link.title = cut(iri);
  link.href = `/entity?id=${encodeURIComponent(iri)}`;
  cell.append(link);
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** A blank node, as short as tells it from others: `_:b1f2e3…`. */
function nameless(name: string): string {
  return name.length > OF_A_BLANK ? `${name.slice(0, OF_A_BLANK)}…` : name;
}

function tag(text: string): HTMLSpanElement {
  const made = document.createElement("span");
  made.className = "tag";
  made.textContent = text;
  return made;
}

function note(text: string): HTMLParagraphElement {
  const made = document.createElement("p");
  made.className = "empty";
  made.textContent = text;
  return made;
}

function has(row: Row, words: string): boolean {
  return Object.values(row).some((value) => value?.value.toLowerCase().includes(words));
}

function compared(one: Value | undefined, other: Value | undefined): number {
  const [a, b] = [one?.value ?? "", other?.value ?? ""];
  if (NUMBER.test(one?.datatype ?? "") && NUMBER.test(other?.datatype ?? "")) {
    return Number(a) - Number(b);
  }
  return a.localeCompare(b);
}
