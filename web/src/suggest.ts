// Suggestions while typing: a combobox with a list box, as the ARIA practices describe it.

import { lastPart } from "./names";

interface Found {
  id: string;
  label: string;
  types?: string[];
  kind?: string;
  address?: string;
}

const PAUSE = 120; // milliseconds without a key before anybody is asked
const LEAST = 2; // characters

/** Have an input suggest what its words may lead to. */
export function suggest(input: HTMLInputElement): void {
  new Suggestions(input);
}

class Suggestions {
  private readonly list = document.createElement("ul");
  private readonly said = document.createElement("span");
  private found: Found[] = [];
  private at = -1;
  private timer: number | undefined;
  private asking: AbortController | undefined;

  constructor(private readonly input: HTMLInputElement) {
    const name = `${input.id || "search"}-suggestions`;
    this.list.id = name;
    this.list.className = "suggestions";
    this.list.hidden = true;
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", "Suggestions");
    this.said.className = "hidden";
    this.said.setAttribute("role", "status");
    input.after(this.list, this.said);
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-expanded", "false");
    input.setAttribute("aria-controls", name);
    input.addEventListener("input", () => this.soon());
    input.addEventListener("keydown", (event) => this.key(event));
    input.addEventListener("blur", () => this.close());
    // Before the input loses the focus, or the list would be gone when the click comes.
    this.list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => this.clicked(event));
  }

  private soon(): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.ask(), PAUSE);
  }

  private async ask(): Promise<void> {
    const words = this.input.value.trim();
    this.asking?.abort();
    if (words.length < LEAST) return this.close();
    this.asking = new AbortController();
    try {
      const address = this.input.dataset.suggest + encodeURIComponent(words);
      const answer = await fetch(address, { signal: this.asking.signal });
      const told = answer.ok ? await answer.json() : { results: [] };
      if (document.activeElement === this.input) this.show(told.results);
    } catch (error) {
      if (!(error instanceof DOMException)) this.close(); // no network: then no suggestions
    }
  }

  private show(found: Found[]): void {
    this.found = found;
    this.at = -1;
    this.list.replaceChildren(...found.map((each, index) => this.option(each, index)));
    const open = found.length > 0;
    this.list.hidden = !open;
    this.input.setAttribute("aria-expanded", String(open));
    this.input.removeAttribute("aria-activedescendant");
    this.said.textContent = open
      ? `${found.length} suggestion${found.length === 1 ? "" : "s"}`
      : "No suggestions";
  }

  private option(found: Found, index: number): HTMLLIElement {
    const option = document.createElement("li");
    option.id = `${this.list.id}-${index}`;
    option.className = "suggestion";
    option.setAttribute("role", "option");
    option.setAttribute("aria-selected", "false");
    option.append(text("suggestion-label", found.label));
    const kind = found.kind ?? found.types?.[0];
    if (kind) option.append(text("suggestion-kind", lastPart(kind)));
    return option;
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "Escape" && !this.list.hidden) {
      event.preventDefault();
      this.close();
    } else if (event.key === "Enter" && this.at >= 0) {
      event.preventDefault();
      this.open(this.at);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (this.list.hidden) return;
      event.preventDefault();
      this.move(event.key === "ArrowDown" ? 1 : -1);
    }
  }

  /** Go on by one; beyond the last is the input itself. */
  private move(by: number): void {
    const places = this.found.length + 1;
    this.at = ((this.at + 1 + by + places) % places) - 1;
    for (const [index, option] of [...this.list.children].entries()) {
      option.setAttribute("aria-selected", String(index === this.at));
    }
    const chosen = this.list.children[this.at];
    chosen?.scrollIntoView({ block: "nearest" });
    if (chosen) this.input.setAttribute("aria-activedescendant", chosen.id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  private clicked(event: Event): void {
    const option = (event.target as Element).closest("li");
    if (option) this.open([...this.list.children].indexOf(option));
  }

  private open(index: number): void {
    const found = this.found[index];
    if (found)
      window.location.assign(found.address ?? `/entity?id=${encodeURIComponent(found.id)}`);
  }

  private close(): void {
    window.clearTimeout(this.timer);
    this.asking?.abort();
    this.list.hidden = true;
    this.at = -1;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
    this.said.textContent = "";
  }
}

function text(name: string, content: string): HTMLSpanElement {
  const span = document.createElement("span");
  span.className = name;
  span.textContent = content;
  return span;
}
