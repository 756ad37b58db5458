// Why a question has no answer: the sentence of the problem that came, and the place it names.
import type Yasr from "@zazuko/yasr";

const PLACE = /line (\d+), column (\d+): (.*)/s;
const NOBODY = "Nobody answers. Is the service still there?";

export class ErrorPlugin {
  priority = 20;
  hideFromSelection = true;

  constructor(private readonly yasr: Yasr) {}

  canHandleResults(): boolean {
    return Boolean(this.yasr.results?.getError());
  }

  draw(): void {
    const error = this.yasr.results?.getError();
    const note = document.createElement("div");
    note.className = "note note--bad query-mistake";
    note.setAttribute("role", "alert");
    note.append(sentence(detail(error?.text ?? "")));
    this.yasr.resultsEl.replaceChildren(note);
  }
}

/** What a problem (RFC 9457) says. Whoever answers sends one; what is none comes of the browser. */
function detail(text: string): string {
  try {
    const told = JSON.parse(text.slice(text.indexOf("{"))) as { detail?: string };
    return told.detail ?? text;
  } catch {
    return NOBODY;
  }
}

function sentence(text: string): HTMLParagraphElement {
  const made = document.createElement("p");
  const [, line, column, message] = PLACE.exec(text) ?? [];
  if (!message) {
    made.textContent = text;
    return made;
  }
  const place = document.createElement("strong");
  place.textContent = `Line ${line}, column ${column}.`;
  made.append(place, ` ${message.charAt(0).toUpperCase()}${message.slice(1)}`);
  return made;
}
