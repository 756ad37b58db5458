// The one entry of all pages. What is heavy is loaded where a page has a place for it.
import "./main.css";
import { configure } from "./configuring";
import { forget, steer } from "./controls";
import { moments } from "./moments";
import { refresh } from "./refresh";
import { suggest } from "./suggest";

function each<T extends HTMLElement>(selector: string, act: (element: T) => void): void {
  for (const element of document.querySelectorAll<T>(selector)) act(element);
}

each<HTMLInputElement>("input[data-suggest]", suggest);
each<HTMLFormElement>("form[data-control]", steer);
forget(document);
each<HTMLFormElement>("form[data-configure]", configure);
each<HTMLTimeElement>("time[datetime]", moments);
each<HTMLElement>("[data-refresh]", refresh);

if (document.querySelector("[data-live], [data-live-table], [data-live-state], [data-chart]")) {
  const { watch } = await import("./live");
  watch(document);
}
if (document.querySelector("[data-chart]")) {
  const { chart } = await import("./charts");
  each<HTMLElement>("[data-chart]", chart);
}
if (document.querySelector("[data-graph]")) {
  const { graph } = await import("./graph");
  each<HTMLElement>("[data-graph]", graph);
}
if (document.querySelector("form[data-editor]")) {
  const { edit } = await import("./editor");
  each<HTMLFormElement>("form[data-editor]", edit);
}
