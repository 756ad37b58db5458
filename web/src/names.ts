// Names out of addresses. Pure.

/** The last part of an IRI, as people read it: `Person` of `http://schema.org/Person`. */
export function lastPart(iri: string): string {
  const parts = iri.replace(/[/#]+$/, "").split(/[/#]/);
  const last = parts.at(-1) || iri;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
