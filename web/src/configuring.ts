// Limits that are changed while a crawl runs: a form whose fields are named by key.

interface Key {
  value: unknown;
}

interface Changed {
  crawl?: { waits: string[]; refused: string | null } | null;
  detail?: string;
}

/** Show a form with the values in force, and have it change those that somebody changes. */
export function configure(form: HTMLFormElement): void {
  void load(form).then(() => {
    form.hidden = false;
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void save(form);
  });
}

function fieldsOf(form: HTMLFormElement): HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>("input[name]")];
}

async function load(form: HTMLFormElement): Promise<void> {
  const answer = await fetch("/api/config");
  if (!answer.ok) return;
  const keys = (await answer.json()) as Record<string, Key>;
  for (const field of fieldsOf(form)) {
    field.defaultValue = String(keys[field.name]?.value ?? "");
    field.placeholder = "no limit";
  }
}

async function save(form: HTMLFormElement): Promise<void> {
  const output = form.querySelector("output");
  if (!output) return;
  const changed = fieldsOf(form).filter((field) => field.value !== field.defaultValue);
  const said: string[] = [];
  for (const field of changed) said.push(await put(field));
  output.textContent = said.join(" ") || "Nothing was changed.";
}

async function put(field: HTMLInputElement): Promise<string> {
  const answer = await fetch(`/api/config/${field.name}`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ value: field.value.trim() || "none" }),
  });
  const told = (await answer.json()) as Changed;
  field.setAttribute("aria-invalid", String(!answer.ok));
  if (!answer.ok) return told.detail ?? "That did not work.";
  field.defaultValue = field.value;
  const waits = told.crawl?.waits.length || told.crawl?.refused;
  return waits ? `${field.name} counts from the next run on.` : `${field.name} is changed.`;
}
