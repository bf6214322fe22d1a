// Serves a worker with workerd, as wrangler bundles and runs it:
//   node run-worker.mjs entry      prints the address
import { createRequire } from 'node:module';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { build } from 'esbuild';

const { Miniflare } = createRequire(new URL('../../../proof/package.json', import.meta.url))('miniflare');

const entry = fileURLToPath(new URL(process.argv[2], import.meta.url));
const { SERVE = 'contacts', ISSUER = '' } = process.env;

const { outputFiles } = await build({
  entryPoints: [entry],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  target: 'es2022',
  logLevel: 'error',
  // The first one is optional, and not installed here. The other one is in workerd.
  external: ['@opentelemetry/api', 'cloudflare:workers'],
  // Packages in CommonJS ask for modules of Node by `require`.
  banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire('/');" },
});
const { text } = outputFiles[0];

const worker = new Miniflare({
  modules: [{ type: 'ESModule', path: 'worker.mjs', contents: text }],
  ...(text.includes('extends DurableObject') && { durableObjects: { SERVER: { className: 'Server' } } }),
  bindings: { SERVE, ISSUER },
  compatibilityDate: '2026-04-01',
  compatibilityFlags: ['nodejs_compat', 'enable_request_signal'],
  // Miniflare's own entry hides from the worker that a client has gone.
  unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
});
process.once('SIGTERM', () => void worker.dispose().then(() => process.exit(0)));
await worker.ready;
const { port } = await worker.unsafeGetDirectURL();
console.log(`listening on http://127.0.0.1:${port}/mcp`);
