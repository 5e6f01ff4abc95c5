// Writes the compressed forms that the service sends beside each built file, where they save anything worth having.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const SITE = new URL("../dist/site/", import.meta.url).pathname;
const LEAST_BYTES = 512;
const LEAST_SAVING = 0.1;
/** Above this size the last few percent would take many seconds: the engine for the browser is mostly packed already. */
const LARGE_BYTES = 1_000_000;

for (const entry of readdirSync(SITE, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath ?? entry.path, entry.name);
  if (!entry.isFile() || /\.(br|gz)$/.test(path)) continue;
  const bytes = readFileSync(path);
  if (bytes.length < LEAST_BYTES) continue;
  const forms = {
    br: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: bytes.length > LARGE_BYTES ? 6 : 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    gz: gzipSync(bytes, { level: 9 }),
  };
  // A second form of a large file that is hardly smaller than the first would only make the program larger, which holds them all.
  if (bytes.length > LARGE_BYTES && forms.br.length > forms.gz.length * (1 - LEAST_SAVING)) delete forms.br;
  for (const [extension, form] of Object.entries(forms)) {
    if (form.length < bytes.length * (1 - LEAST_SAVING)) writeFileSync(`${path}.${extension}`, form);
  }
}
