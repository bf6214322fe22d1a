// node measure.mjs <file>: prints the size of what a browser loads of a file, minified and compressed
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const build = await rolldown({
  input: process.argv[2],
  platform: 'browser',
  external: /^p?react/,
  resolve: { extensionAlias: { '.js': ['.ts'] } },
});
const { output } = await build.generate({ format: 'esm', minify: true });
await build.close();
process.stdout.write(String(gzipSync(output[0].code, { level: 9 }).length));
