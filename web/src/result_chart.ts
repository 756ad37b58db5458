// Rows as bars: one column names them, one with numbers measures them, as somebody chooses.
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

  private chosen: { name?: string; measure?: string } = {};

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
    this.yasr.resultsEl.replaceChildren(this.choosing(columns), title, bars);
  }

  /** What names the bars, and what measures them. */
  private choosing(columns: { name: string; measure: string }): HTMLDivElement {
    const made = document.createElement("div");
    made.className = "row chart-columns";
    const names = this.yasr.results?.getVariables() ?? [];
    made.append(
      this.choice("Bars for", names, columns.name, (name) => ({ name })),
      this.choice("Length by", this.measures(), columns.measure, (measure) => ({ measure })),
    );
    return made;
  }

  private choice(
    title: string,
    names: string[],
    now: string,
    chosen: (name: string) => { name?: string; measure?: string },
  ): HTMLLabelElement {
    const made = document.createElement("label");
    const select = document.createElement("select");
    select.append(...names.map((name) => new Option(name, name, name === now, name === now)));
    select.addEventListener("change", () => {
      this.chosen = { ...this.chosen, ...chosen(select.value) };
      this.draw();
      const label = `select[data-choice="${title}"]`;
      this.yasr.resultsEl.querySelector<HTMLSelectElement>(label)?.focus();
    });
    select.dataset.choice = title;
    made.append(`${title} `, select);
    return made;
  }

  getIcon(): Element {
    return icon("M4 20V10h4v10zm6 0V4h4v16zm6 0v-7h4v7z");
  }

  private rows(): Record<string, Value>[] {
    return (this.yasr.results?.getBindings() ?? []) as Record<string, Value>[];
  }

  private measures(): string[] {
    const rows = this.rows();
    const names = this.yasr.results?.getVariables() ?? [];
    return names.filter((name) => rows.some((row) => isNumber(row[name])));
  }

  private columns(): { name: string; measure: string } | undefined {
    const names = this.yasr.results?.getVariables() ?? [];
    const measures = this.measures();
    const wished = this.chosen.measure ?? "";
    const measure = measures.includes(wished) ? wished : measures.at(-1);
    const named = names.includes(this.chosen.name ?? "") ? this.chosen.name : undefined;
    const name = named ?? names.find((each) => each !== measure);
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
