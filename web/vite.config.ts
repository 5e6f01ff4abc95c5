import { defineConfig } from "vite";

export default defineConfig({
  base: "/",
  build: {
    outDir: "dist/site",
    emptyOutDir: true,
    target: "es2022",
    // The policy of the page allows no inline script, and data URLs would only defeat the cache.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // `npm run dev` in this folder, with the service on its usual port.
  server: {
    proxy: Object.fromEntries(["/v1", "/docs", "/openapi.json", "/problems"].map((path) => [path, "http://127.0.0.1:8080"])),
  },
  test: { include: ["test/**/*.test.ts"], environment: "node" },
} as Parameters<typeof defineConfig>[0]);
