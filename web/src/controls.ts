// Buttons that steer a crawl: ask first where that is wanted, and say what came of it.
import { CHANGED } from "./changing";

interface Told {
  state?: string;
  added?: number; // seeds, to a crawl that runs
  known?: number;
  detail?: string;
}

const DONE: Record<string, string> = {
  pause: "Paused. What is in flight is brought to an end.",
  resume: "It goes on.",
  stop: "It is brought to an end.",
  start: "It has begun.",
};

/** Have a form do its work without leaving the page. */
export function steer(form: HTMLFormElement): void {
  form.noValidate = true; // the service refuses with a sentence, where all others are told
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void act(form);
  });
}

async function act(form: HTMLFormElement): Promise<void> {
  const question = form.dataset.confirm;
  if (question && !(await agreed(question, buttonOf(form)?.textContent?.trim() ?? "Yes"))) return;
  const output = outputOf(form);
  busy(form, true);
  output.textContent = "…";
  output.dataset.state = "busy";
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(orderOf(form)),
    });
    const told = (await answer.json()) as Told;
    if (answer.status === 401) return leave();
    output.textContent = answer.ok
      ? done(form.dataset.control ?? "", told)
      : (told.detail ?? "That did not work.");
    output.dataset.state = answer.ok ? "good" : "bad";
    if (answer.ok) form.reset();
  } catch {
    output.textContent = "Nobody answers. Is the service still there?";
    output.dataset.state = "bad";
  } finally {
    busy(form, false);
  }
}

/** When no crawl runs any more, what was said of it is over. */
export function forget(page: Document): void {
  page.addEventListener(CHANGED, (event) => {
    const output = page.querySelector<HTMLOutputElement>("output[data-control-output]");
    const is_over = (event as CustomEvent<string>).detail === "none";
    if (is_over && output?.dataset.state === "good") output.textContent = "";
  });
}

function done(control: string, told: Told): string {
  if (told.added === undefined) return DONE[control] ?? "Done.";
  const added = told.added === 1 ? "1 seed was" : `${told.added} seeds were`;
  const known = told.known ? ` ${told.known === 1 ? "1 was" : `${told.known} were`} known.` : "";
  return `${added} added to the crawl that runs.${known}`;
}

/** What a form asks for, as REST takes it: seeds a line each, and options by key. */
function orderOf(form: HTMLFormElement): Record<string, unknown> {
  if (form.dataset.control !== "start") return {};
  const fields = new FormData(form);
  const seeds = fields.get("seeds");
  const options: Record<string, string> = {};
  for (const [name, value] of fields) {
    if (name.includes(".") && String(value).trim()) options[name] = String(value).trim();
  }
  const again = fields.has("again");
  return seeds === null ? { options, again } : { seeds: lines(String(seeds)), options, again };
}

function lines(text: string): string[] {
  return text
    .split("\n")
    .map((each) => each.trim())
    .filter(Boolean);
}

/** The session is over. */
function leave(): void {
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/login?next=${encodeURIComponent(here)}`);
}

function buttonOf(form: HTMLFormElement): HTMLButtonElement | null {
  return form.querySelector("button[type=submit], button:not([type])");
}

function outputOf(form: HTMLFormElement): HTMLOutputElement {
  // One for all buttons: the one that was pressed may be hidden when the state has changed.
  const there =
    document.querySelector<HTMLOutputElement>("output[data-control-output]") ??
    form.querySelector("output");
  if (there) return there;
  const made = document.createElement("output");
  form.append(made);
  return made;
}

function busy(form: HTMLFormElement, is: boolean): void {
  form.setAttribute("aria-busy", String(is));
  const button = buttonOf(form);
  if (button) button.disabled = is;
}

function agreed(question: string, yes: string): Promise<boolean> {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog";
  const words = document.createElement("p");
  words.id = "dialog-question";
  words.textContent = question;
  dialog.setAttribute("aria-labelledby", words.id);
  const form = document.createElement("form");
  form.method = "dialog";
  form.className = "dialog-buttons";
  const no = button("Cancel", "no");
  no.className = "button--quiet";
  no.autofocus = true;
  form.append(no, button(yes, "yes"));
  dialog.append(words, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}

function button(label: string, value: string): HTMLButtonElement {
  const made = document.createElement("button");
  made.value = value;
  made.textContent = label;
  return made;
}
