// Parts of a page that are asked for again every few seconds, and when a crawl begins or ends, as the
// server writes them.
import { CHANGED } from "./changing";
import { moments } from "./moments";

const MOST_SECONDS = 30; // between two tries, while there is no answer

export function refresh(part: HTMLElement): void {
  const usual = Number(part.dataset.refresh) || 2;
  let pause = usual;

  const again = async (): Promise<void> => {
    if (!document.hidden && !part.contains(document.activeElement)) {
      pause = (await taken(part)) ? usual : Math.min(2 * pause, MOST_SECONDS);
    }
    setTimeout(again, 1000 * pause);
  };
  setTimeout(again, 1000 * pause);
  document.addEventListener(CHANGED, () => void taken(part));
}

/** Put what the page is now in the part's place; whether that worked. */
async function taken(part: HTMLElement): Promise<boolean> {
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = page.getElementById(part.id);
    if (!answer.ok || !now) return false;
    if (now.innerHTML !== part.innerHTML) part.replaceChildren(...now.childNodes);
    for (const each of part.querySelectorAll<HTMLTimeElement>("time[datetime]")) moments(each);
    return true;
  } catch {
    return false;
  }
}
