// Names out of addresses. Pure.

const TELLING = 4; // characters; a last part that is shorter needs the one before it

/** The last part of an IRI, as people read it: `Person` of `http://schema.org/Person`. */
export function lastPart(iri: string): string {
  const parts = iri.replace(/[/#]+$/, "").split(/(?<=[/#])/);
  const last = parts.at(-1) || iri;
  const before = parts.at(-2) ?? "";
  const name = last.length < TELLING && /\w/.test(before) ? before + last : last;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** An IRI by its prefix, where it has one of these. */
export function prefixed(iri: string, prefixes: Record<string, string>): string {
  for (const [name, start] of Object.entries(prefixes)) {
    if (start && iri.startsWith(start)) return `${name}:${iri.slice(start.length)}`;
  }
  return iri;
}
