// Rows as bars: the first column with text names them, the first with numbers measures them.
import type Yasr from "@zazuko/yasr";
import { icon } from "./icons";
import { prefixed } from "./names";

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
    const title = document.createElement("p");
    title.className = "faint small";
    title.textContent = `${columns.measure} by ${columns.name}${
      rows.length > MOST ? `, the first ${MOST} of ${rows.length} rows` : ""
    }`;
    const bars = document.createElement("ul");
    bars.className = "bars";
    const prefixes = this.yasr.getPrefixes();
    for (const row of shown) {
      const name = prefixed(row[columns.name]?.value ?? "–", prefixes);
      bars.append(bar(name, number(row[columns.measure]), most));
    }
    this.yasr.resultsEl.replaceChildren(title, bars);
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

function bar(name: string, measure: number, most: number): HTMLLIElement {
  const made = document.createElement("li");
  const meter = document.createElement("meter");
  meter.max = most;
  meter.value = measure;
  meter.setAttribute("aria-hidden", "true");
  made.append(text("bar-name", name), meter, text("number", measure.toLocaleString("en")));
  return made;
}

function text(name: string, content: string): HTMLSpanElement {
  const made = document.createElement("span");
  made.className = name;
  made.textContent = content;
  return made;
}

function isNumber(value: Value | undefined): boolean {
  return NUMBER.test(value?.datatype ?? "");
}

function number(value: Value | undefined): number {
  const read = Number(value?.value);
  return Number.isFinite(read) ? read : 0;
}
