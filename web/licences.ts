// The licences of all that goes into the bundle, those of packages inside of packages too.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

interface Locked {
  packages: Record<string, { version?: string; license?: string; dev?: boolean }>;
}

const FILE = "licences.txt";
const LICENCE = /^(licen[cs]e|notice|copying)/i;

/** Writes `licences.txt` beside what is built. */
export function licences(): Plugin {
  return {
    name: "licences",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: FILE, source: all() });
    },
  };
}

function all(): string {
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as Locked;
  const bundled = Object.entries(lock.packages).filter(([place, told]) => place && !told.dev);
  const parts = bundled.map(([place, told]) => {
    const name = place.replace(/^.*node_modules\//, "");
    return `${name} ${told.version ?? ""} (${told.license ?? "see below"})\n\n${texts(place)}`;
  });
  return `Gossamer's pages use these packages.\n\n${parts.join(`\n\n${"-".repeat(72)}\n\n`)}\n`;
}

function texts(place: string): string {
  if (!existsSync(place)) return "";
  const files = readdirSync(place).filter((each) => LICENCE.test(each));
  return files.map((each) => readFileSync(join(place, each), "utf8").trim()).join("\n\n");
}
