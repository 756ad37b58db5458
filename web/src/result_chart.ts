// Rows as bars: the first column with text names them, the first with numbers measures them.
import type Yasr from "@zazuko/yasr";
import { icon } from "./icons";

interface Value {
  value: string;
  datatype?: string;
}

const MOST = 60; // bars
const NUMBER = /#(integer|decimal|double|float|int|long|short|byte|nonNegativeInteger)$/;

export class ChartPlugin {
  priority = 5;
  label = "Chart";

  constructor(private readonly yasr: Yasr) {}

  canHandleResults(): boolean {
    return this.columns() !== undefined;
  }

  draw(): void {
    const columns = this.columns();
    if (!columns) return;
    const rows = this.rows().filter((row) => row[columns.measure]);
    const shown = rows.slice(0, MOST);
    const most = Math.max(...shown.map((row) => number(row[columns.measure])), 0) || 1;
    const table = document.createElement("table");
    table.className = "bars";
    const caption = document.createElement("caption");
    caption.textContent = `${columns.measure} by ${columns.name}${
      rows.length > MOST ? `, the first ${MOST} of ${rows.length} rows` : ""
    }`;
    const body = document.createElement("tbody");
    body.append(...shown.map((row) => bar(row[columns.name], row[columns.measure], most)));
    table.append(caption, body);
    this.yasr.resultsEl.replaceChildren(table);
  }

  getIcon(): Element {
    return icon("M4 20V10h4v10zm6 0V4h4v16zm6 0v-7h4v7z");
  }

  private rows(): Record<string, Value>[] {
    return (this.yasr.results?.getBindings() ?? []) as Record<string, Value>[];
  }

  private columns(): { name: string; measure: string } | undefined {
    const names = this.yasr.results?.getVariables() ?? [];
    const rows = this.rows();
    const measures = names.filter((name) => rows.some((row) => isNumber(row[name])));
    const measure = measures.at(-1);
    const name = names.find((each) => each !== measure);
    return measure === undefined || name === undefined ? undefined : { name, measure };
  }
}

function bar(name: Value | undefined, measure: Value | undefined, most: number): HTMLElement {
  const row = document.createElement("tr");
  const head = document.createElement("th");
  head.scope = "row";
  head.textContent = name?.value ?? "–";
  const cell = document.createElement("td");
  const meter = document.createElement("meter");
  meter.min = 0;
  meter.max = most;
  meter.value = number(measure);
  meter.setAttribute("aria-hidden", "true");
  const text = document.createElement("span");
  text.className = "number";
  text.textContent = number(measure).toLocaleString("en");
  cell.append(meter, text);
  row.append(head, cell);
  return row;
}

function isNumber(value: Value | undefined): boolean {
  return NUMBER.test(value?.datatype ?? "");
}

function number(value: Value | undefined): number {
  const read = Number(value?.value);
  return Number.isFinite(read) ? read : 0;
}
