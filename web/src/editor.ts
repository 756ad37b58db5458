// The query editor: YASQE writes the question, YASR shows the answer as table, chart or graph.
// Names and prefixes come from what was crawled; nobody outside is asked for anything.
import Yasqe from "@zazuko/yasqe";
import "@zazuko/yasqe/build/yasqe.min.css";
import Yasr from "@zazuko/yasr";
import "@zazuko/yasr/build/yasr.min.css";
import { complete, declare, type Vocabulary } from "./completing";
import { ChartPlugin } from "./result_chart";
import { ErrorPlugin } from "./result_error";
import { GraphPlugin } from "./result_graph";
import { TablePlugin } from "./result_table";
import "./editor.css";

type Plugin = Parameters<typeof Yasr.registerPlugin>[1];
type Config = NonNullable<ConstructorParameters<typeof Yasqe>[1]>;
type Request = Exclude<Config["requestConfig"], undefined>;

const JSON_RESULTS = "application/sparql-results+json";
const NO_PREFIXES: Vocabulary = { classes: [], properties: [], prefixes: {} };

/** Put the editor in the place of a form's text area. */
export function edit(form: HTMLFormElement): void {
  void begin(form);
}

async function begin(form: HTMLFormElement): Promise<void> {
  const area = form.querySelector<HTMLTextAreaElement>("textarea[name=query]");
  if (!area) return;
  const vocabulary = await known();
  const endpoint = new URL(form.dataset.editor ?? "/sparql", window.location.href).href;
  complete(Yasqe, vocabulary);
  Yasr.registerPlugin("table", TablePlugin as unknown as Plugin);
  Yasr.registerPlugin("chart", ChartPlugin as unknown as Plugin);
  Yasr.registerPlugin("graph", GraphPlugin as unknown as Plugin);
  Yasr.registerPlugin("error", ErrorPlugin as unknown as Plugin);
  const editor = place(form, "editor");
  const yasqe = new Yasqe(editor, {
    persistenceId: null,
    consumeShareLink: null,
    createShareableLink: () => shareable(yasqe.getValue()),
    prefixCcApi: null,
    collapsePrefixesOnLoad: true,
    resizeable: true,
    editorHeight: "18rem",
    requestConfig: {
      endpoint,
      method: "POST",
      acceptHeaderSelect: JSON_RESULTS,
      acceptHeaderGraph: "text/turtle",
      headers: {},
    } as Request,
  });
  yasqe.setValue(area.value);
  declare(yasqe, vocabulary);
  const hint = document.createElement("p");
  hint.className = "note";
  hint.setAttribute("role", "status");
  hint.hidden = true;
  const results = place(form, "results");
  results.before(hint);
  const yasr = new Yasr(results, {
    persistenceId: null,
    prefixes: vocabulary.prefixes,
    defaultPlugin: "table",
    pluginOrder: ["table", "chart", "graph", "response"],
  });
  label(editor, area);
  tidy(form, area);
  yasqe.on("change", () => declare(yasqe, vocabulary));
  yasqe.on("query", () => remember(yasqe.getValue()));
  yasqe.on("queryResponse", (_, response, duration) => {
    yasr.setResponse(response, duration);
    const meant: string | null | undefined = response?.headers?.get("X-Gossamer-Hint");
    hint.textContent = meant ? decodeURIComponent(meant) : "";
    hint.hidden = !meant;
  });
  if (area.value.trim() && new URLSearchParams(window.location.search).has("query")) {
    await yasqe.query().catch(() => undefined); // what went wrong is shown with the results
  }
}

async function known(): Promise<Vocabulary> {
  const answer = await fetch("/api/vocab?limit=1000").catch(() => undefined);
  return answer?.ok ? ((await answer.json()) as Vocabulary) : NO_PREFIXES;
}

function place(form: HTMLFormElement, name: string): HTMLDivElement {
  const made = document.createElement("div");
  made.className = name;
  form.after(made);
  if (name === "results") document.querySelector(".editor")?.after(made);
  return made;
}

/** The form is done with, and what it found is shown by the editor. */
function tidy(form: HTMLFormElement, area: HTMLTextAreaElement): void {
  form.hidden = true;
  area.disabled = true;
  for (const old of document.querySelectorAll<HTMLElement>("[data-editor-replaces]"))
    old.hidden = true;
}

/** A name for those who do not see it; and a way out for those without a mouse. */
function label(editor: HTMLElement, area: HTMLTextAreaElement): void {
  const input = editor.querySelector("textarea");
  const name = document.querySelector(`label[for="${area.id}"]`)?.textContent?.trim();
  input?.setAttribute("aria-label", `${name || "Query"}. Escape, then Tab leaves it.`);
}

/** The address of this question. */
function shareable(query: string): string {
  const address = new URL("/query", window.location.href);
  address.searchParams.set("query", query);
  return address.href;
}

function remember(query: string): void {
  window.history.replaceState(null, "", shareable(query));
}
