// What pages of ours hear when a crawl begins, pauses or ends: its new state is the detail.

export const CHANGED = "gossamer-state";

export function tell(page: Document, state: string): void {
  page.dispatchEvent(new CustomEvent(CHANGED, { detail: state }));
}
