// Bundles a worker as wrangler does, and prints what it answers:
//   node run-worker.mjs entry bodies      bodies: a JSON list
import { createRequire } from 'node:module';
import process from 'node:process';
import { URL } from 'node:url';
import { build } from 'esbuild';

const { Miniflare } = createRequire(new URL('../../../proof/package.json', import.meta.url))('miniflare');

const { outputFiles } = await build({
  entryPoints: [process.argv[2]],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  target: 'es2022',
  logLevel: 'error',
  keepNames: true,
  // Packages in CommonJS ask for modules of Node by `require`.
  banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire('/');" },
});
const worker = new Miniflare({
  modules: [{ type: 'ESModule', path: 'worker.mjs', contents: outputFiles[0].text }],
  compatibilityDate: '2026-04-01',
  compatibilityFlags: ['nodejs_compat', 'enable_request_signal'],
});
const answers = [];
for (const body of JSON.parse(process.argv[3])) {
  const response = await worker.dispatchFetch('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  answers.push(answer.result ?? answer);
}
await worker.dispose();
console.log(JSON.stringify(answers));
