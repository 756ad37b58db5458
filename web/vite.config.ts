import { defineConfig } from "vite";
import { licences } from "./licences.ts";

// The pages find what is built through the manifest; see src/gossamer/web/assets.py.
export default defineConfig({
  base: "/static/built/",
  publicDir: false,
  plugins: [licences()],
  logLevel: "warn",
  build: {
    outDir: "../src/gossamer/web/static/built",
    emptyOutDir: true,
    manifest: true,
    // Nothing may be inlined as `data:` that the Content-Security-Policy would refuse.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    chunkSizeWarningLimit: 1300, // the query editor, on the one page that has it
    rolldownOptions: {
      input: "src/main.ts",
      // A stand-in for JSON that no browser of today runs, and that our pages would not let run.
      checks: { eval: false, bundlerTimings: false },
    },
  },
});
