// What `/api/live` sends, and who hears of it.

export interface Snapshot {
  at: number;
  state: "running" | "paused" | "stopping" | "none" | "away";
  point?: Record<string, number | null>;
  [name: string]: unknown;
}

export type Connection = "connecting" | "open" | "lost";

const listeners = new Set<(snapshot: Snapshot) => void>();
const watchers = new Set<(connection: Connection) => void>();
let source: EventSource | undefined;

/** Hear of every snapshot from now on. */
export function onSnapshot(listener: (snapshot: Snapshot) => void): void {
  listeners.add(listener);
  begin();
}

/** Hear how the connection is. */
export function onConnection(watcher: (connection: Connection) => void): void {
  watchers.add(watcher);
}

/** What is at a path such as `run.ended.content`; nothing where there is none. */
export function at(snapshot: Snapshot, path: string): unknown {
  let value: unknown = snapshot;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function begin(): void {
  if (source || document.hidden) return;
  tell("connecting");
  source = new EventSource("/api/live");
  source.onopen = () => tell("open");
  source.onerror = () => tell("lost"); // the browser tries again by itself
  source.onmessage = (event: MessageEvent<string>) => {
    const snapshot = JSON.parse(event.data) as Snapshot;
    for (const listener of listeners) listener(snapshot);
  };
}

function end(): void {
  source?.close();
  source = undefined;
}

function tell(connection: Connection): void {
  for (const watcher of watchers) watcher(connection);
}

// A browser has six connections to a server: tabs that nobody looks at give theirs back.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) end();
  else if (listeners.size) begin();
});
window.addEventListener("pagehide", end);
window.addEventListener("pageshow", () => {
  if (listeners.size) begin();
});
