// Completion of prefixes, classes and properties: those that the crawl has met, the commonest first.
import type Yasqe from "@zazuko/yasqe";

export interface Vocabulary {
  classes: { iri: string }[];
  properties: { iri: string }[];
  prefixes: Record<string, string>;
}

/** Have the editor complete names of this vocabulary, and ask nobody else. */
export function complete(editor: typeof Yasqe, vocabulary: Vocabulary): void {
  const prefixes = Object.entries(vocabulary.prefixes).map(([name, iri]) => `${name}: <${iri}>`);
  fork(editor, "prefixes", "our-prefixes", prefixes);
  fork(
    editor,
    "class",
    "our-classes",
    vocabulary.classes.map((each) => each.iri),
  );
  fork(
    editor,
    "property",
    "our-properties",
    vocabulary.properties.map((each) => each.iri),
  );
  editor.defaults.autocompleters = ["our-prefixes", "our-classes", "our-properties", "variables"];
}

function fork(editor: typeof Yasqe, from: string, name: string, words: string[]): void {
  editor.forkAutocompleter(from, { name, bulk: true, persistenceId: null, get: () => words });
}
