// Moments of the server (UTC) keep their text, and tell the reader's own time when pointed at.

export function moments(element: HTMLTimeElement): void {
  const at = new Date(element.dateTime);
  if (!Number.isNaN(at.getTime())) element.title = at.toLocaleString();
}
