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
  replace(editor, "prefixes", prefixes);
  replace(editor, "class", iris(vocabulary.classes));
  replace(editor, "property", iris(vocabulary.properties));
}

/** Declare the prefixes that a query uses: here they need not be, but the editor wants them. */
export function declare(editor: Yasqe, vocabulary: Vocabulary): void {
  const query = editor.getValue();
  const declared = editor.getPrefixesFromQuery();
  const used = Object.entries(vocabulary.prefixes).filter(
    ([name]) => !(name in declared) && new RegExp(`(^|[^\\w<:/-])${name}:[\\w]`).test(query),
  );
  if (used.length) editor.addPrefixes(Object.fromEntries(used));
}

function replace(editor: typeof Yasqe, name: string, words: string[]): void {
  // Forked under its own name: what else belongs to it goes by that.
  editor.forkAutocompleter(name, { name, bulk: true, persistenceId: null, get: () => words });
}

function iris(met: { iri: string }[]): string[] {
  return met.map((each) => each.iri);
}
