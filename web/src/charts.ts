// Charts over time: the last hour, or the last run, as the service remembers it, and every second from now on.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import "./charts.css";
import { colour, onColours, seriesColour } from "./colours";
import { shown } from "./formats";
import { onSnapshot, type Snapshot } from "./snapshots";

interface History {
  every: number;
  at: number[];
  series: Record<string, (number | null)[]>;
}

type Columns = [number[], ...(number | null)[][]];

const HEIGHT = 200;
const SPAN = 3600; // seconds
const GAP = 30; // without a word: then the line is broken
const LABELS: Record<string, string> = {
  cpu: "of one core",
  visits: "to fetch",
  reading: "to read",
  keeping: "to keep",
};

let past: Promise<History> | undefined;

/** Draw the series that an element names. */
export function chart(element: HTMLElement): void {
  const names = (element.dataset.chart ?? "").split(",").map((each) => each.trim());
  const drawn = new Chart(element, names);
  past ??= fetch("/api/history").then((answer) => answer.json() as Promise<History>);
  void past.then((history) => drawn.begin(history)).catch(() => drawn.begin(undefined));
  onSnapshot((snapshot) => drawn.add(snapshot));
  onColours(() => drawn.draw());
  new ResizeObserver(() => drawn.fit()).observe(element);
}

class Chart {
  private columns: Columns;
  private plot: uPlot | undefined;
  private begun = false;

  constructor(
    private readonly element: HTMLElement,
    private readonly names: string[],
  ) {
    this.columns = [[], ...names.map(() => [])];
  }

  begin(history: History | undefined): void {
    this.begun = true;
    const later = this.columns;
    this.columns = [[], ...this.names.map(() => [])];
    for (const [index, at] of (history?.at ?? []).entries()) {
      this.put(at, (name) => history?.series[name]?.[index] ?? null);
    }
    for (const [index, at] of later[0].entries()) {
      this.put(at, (_, place) => later[place + 1]?.[index] ?? null);
    }
    this.draw();
  }

  add(snapshot: Snapshot): void {
    const point = snapshot.point;
    if (!point) return;
    this.put(snapshot.at, (name) => point[name] ?? null);
    if (!this.begun) return;
    if (this.plot) this.plot.setData(this.columns);
    else this.draw();
    this.latest();
    this.describe();
  }

  draw(): void {
    const shownBefore = this.plot?.series.slice(1).map((each) => each.show !== false);
    this.plot?.destroy();
    this.plot = undefined;
    this.element.classList.toggle("is-empty", !this.columns[0].length);
    if (!this.columns[0].length) {
      this.element.removeAttribute("role");
      this.element.textContent = "Nothing to draw yet: no crawl ran here.";
      return;
    }
    this.element.textContent = "";
    this.plot = new uPlot(this.options(shownBefore), this.columns, this.element);
    this.plot.over.addEventListener("mouseleave", () => this.latest());
    this.latest();
    this.describe();
  }

  fit(): void {
    this.plot?.setSize({ width: this.element.clientWidth, height: HEIGHT });
  }

  /** Add a moment, a gap before it where there was none for long, and drop what is too old. */
  private put(at: number, of: (name: string, place: number) => number | null): void {
    const moments = this.columns[0];
    const before = moments.at(-1);
    if (before !== undefined && at <= before) return;
    if (before !== undefined && at > before + GAP) this.push(before + 1, () => null);
    this.push(at, of);
    let old = 0;
    while ((moments[old] ?? at) < at - SPAN) old += 1;
    if (old) for (const column of this.columns) column.splice(0, old);
  }

  private push(at: number, of: (name: string, place: number) => number | null): void {
    this.columns[0].push(at);
    for (const [place, name] of this.names.entries()) {
      (this.columns[place + 1] as (number | null)[]).push(of(name, place));
    }
  }

  /** While nobody points at a moment, the key tells of the last. */
  private latest(): void {
    if (this.plot && this.plot.cursor.idx == null) {
      this.plot.setLegend({ idx: this.columns[0].length - 1 });
    }
  }

  /** The same for those who do not see it. */
  private describe(): void {
    const told = this.names.map((name, place) => {
      const last = this.columns[place + 1]?.at(-1);
      return `${label(name)} ${shown(last, this.format)}`;
    });
    const title = this.element.dataset.title ?? "Chart";
    this.element.setAttribute("role", "img");
    this.element.setAttribute("aria-label", `${title}: now ${told.join(", ")}`);
  }

  private get format(): string {
    return this.element.dataset.format ?? "count";
  }

  private options(shownBefore: boolean[] | undefined): uPlot.Options {
    const axis = {
      stroke: colour("muted"),
      grid: { stroke: colour("line"), width: 1 },
      ticks: { stroke: colour("line"), width: 1 },
      font: "12px system-ui, sans-serif",
    };
    return {
      width: this.element.clientWidth,
      height: HEIGHT,
      cursor: { y: false, points: { size: 7 } },
      legend: { live: true },
      hooks: { ready: [() => this.latest()] }, // before, it would be forgotten
      scales: { y: { range: (_, __, most) => [0, Math.max(most * 1.1, 1)] } },
      axes: [
        {
          ...axis,
          space: 70,
          values: (_, moments, __, ___, step) => moments.map((at) => clock(at, step < 60)),
        },
        {
          ...axis,
          size: 68,
          values: (_, values) => values.map((each) => shown(each, this.format)),
        },
      ],
      series: [
        { label: "at", value: (_, at) => (at === null ? "–" : clock(at, true)) },
        ...this.names.map((name, place) => ({
          label: label(name),
          stroke: seriesColour(place),
          width: 2,
          show: shownBefore?.[place] ?? true,
          points: { show: this.columns[0].length < 3 },
          value: (_: uPlot, value: number | null) => shown(value, this.format),
        })),
      ],
    };
  }
}

function label(name: string): string {
  return LABELS[name] ?? name;
}

function clock(at: number, exactly = false): string {
  return new Date(at * 1000).toLocaleTimeString(undefined, {
    hour: "2-digit",
    minute: "2-digit",
    ...(exactly ? { second: "2-digit" } : {}),
    hour12: false,
  });
}
