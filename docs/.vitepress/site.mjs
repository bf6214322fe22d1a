// The documentation site:
//   node docs/.vitepress/site.mjs build    writes docs/dist, or the folder that is named
//   node docs/.vitepress/site.mjs serve    serves it on 127.0.0.1, at PORT (3000)
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveFolder } from './build/serve-folder.mjs';

const docs = join(dirname(fileURLToPath(import.meta.url)), '..');
const [task, folder = join(docs, 'dist')] = process.argv.slice(2);

if (task === 'build') {
  // The settings import sources of packages, which are CommonJS. The bundler of the settings can read them, and warns.
  process.env.VITE_CONFIG_NATIVE_IGNORE_WARNING = 'true';
  const { build } = await import('vitepress');
  await build(docs, { outDir: folder });
} else if (task === 'serve') {
  const { url } = await serveFolder(folder, Number(process.env.PORT ?? 3000));
  console.log(`site listening on ${url}`);
} else {
  throw new Error('Say what to do: build or serve.');
}
