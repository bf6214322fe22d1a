// Puts the modules of each package that servers load at run time into one file, after `pnpm compile`, and what other packages
// use of private ones into these:
//   node .ci/bundle.mjs             writes packages/*/dist/bundle.js
//   node .ci/bundle.mjs --check     fails when one of them is not what its sources would give now
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { importedValues, inlineCode, inlineTypes, privatePackages, usedBy } from './inline.mjs';
import { keepPlain } from './plain-declarations.mjs';
import { publishedPackages } from './published.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const packages = join(root, 'packages');
const inlined = privatePackages(root);

/** Those that a running server loads; the rest are tools of developers. */
const bundled = [
  'manifest',
  'core',
  'http',
  'express',
  'fastify',
  'stdio',
  'audit',
  'redis',
  'postgres',
  'queue',
  'tasks',
  'schedules',
  'search',
  'code',
  'skills',
  'safe',
  'openapi',
  'tables',
  'mount',
  'replay',
];

/** Further ways in, beside `src/index.ts`. What two ways in share is in one file, so that it is there once. */
const waysIn = {
  core: ['ports', 'operate', 'options', 'extend', 'transport', 'checks'],
  http: ['fetch', 'hosts', 'transfers', 'workers'],
  postgres: ['database'],
  openapi: ['commands'],
  tables: ['commands'],
  mount: ['commands'],
  replay: ['commands'],
  search: ['build-step', 'look-alikes'],
  code: ['build-step', 'worker'],
};

/**
 * Small modules of ECMAScript that are part of a bundle. Jest cannot load them from a package, where Node.js 20 and 22 can. Their
 * licences are in `licenses.txt` of the package.
 */
const taken = { search: ['stemmer'] };

/** Packages that pages in a browser load: modules of ECMAScript, which the build of a page takes apart again. */
const forBrowsers = {
  views: {
    index: 'index',
    react: 'react',
    preact: 'preact',
    'mount-plain': 'mount/plain',
    'mount-react': 'mount/react',
    'mount-preact': 'mount/preact',
  },
};

/** Folders that also work in a browser: their file must not need the rest of what ways in share. */
const alone = [{ name: 'host-table', test: /\/packages\/hosts\/src\//, minShareCount: 2, priority: 1 }];

const isCheck = process.argv.includes('--check');
const use = isCheck ? compare : write;
await Promise.all([
  ...bundled.map(bundle),
  ...Object.keys(forBrowsers).map(bundleForBrowsers),
  ...publishedPackages(root).map(inline),
]);

async function bundle(name) {
  const folder = join(packages, name);
  await emit(folder, {
    bundle: join(folder, 'src/index.ts'),
    ...Object.fromEntries(
      (waysIn[name] ?? []).map((way) => [`${way}.bundle`, join(folder, `src/${way}.ts`)]),
    ),
  });
}

async function bundleForBrowsers(name) {
  const folder = join(packages, name);
  // The file beside it has the types of a module of CommonJS, which the compiler imports in another way.
  await use(join(folder, 'dist/index.d.mts'), "export * from './index.js';\n");
  const entries = Object.entries(forBrowsers[name]).map(([way, file]) => [
    `browser/${way}`,
    join(folder, `src/${file}.ts`),
  ]);
  await emit(folder, Object.fromEntries(entries), {
    platform: 'browser',
    output: {
      entryFileNames: '[name].mjs',
      chunkFileNames: 'browser/[name].mjs',
      codeSplitting: true,
      format: 'esm',
      sourcemap: false,
    },
  });
}

/** Writes what a package uses of private packages into its own `dist`. */
async function inline({ folder: name, manifest }) {
  const folder = join(packages, name);
  const used = usedBy(manifest, inlined);
  if (used.length === 0) return;
  await inlineTypes(join(folder, 'dist'), used, { use, lead: isCheck ? use : lead });
  if (bundled.includes(name)) return;
  for (const each of used) {
    const values = await importedValues(join(folder, 'src'), each.name);
    if (values.length === 0) continue;
    const entry = `\0${each.folder}`;
    await emit(
      folder,
      { [each.folder]: entry },
      {
        plugins: [
          {
            name: 'entry',
            resolveId: (id) => (id === entry ? id : undefined),
            load: (id) => (id === entry ? `export { ${values.join(', ')} } from '${each.name}';` : undefined),
          },
        ],
      },
    );
    await inlineCode(join(folder, 'dist'), each, use);
  }
}

async function emit(folder, input, { plugins = [], platform = 'node', output: form = {} } = {}) {
  const build = await rolldown({
    input,
    plugins,
    platform,
    tsconfig: join(folder, 'tsconfig.json'),
    // Other packages stay outside, each loaded when and where the code asks for it. Private ones are not installed.
    external: (id) =>
      /^[^./\0]/.test(id) &&
      !inlined.some(({ mention }) => mention.test(`'${id}'`)) &&
      !taken[basename(folder)]?.includes(id),
    resolve: {
      extensionAlias: { '.js': ['.ts'] },
      alias: Object.fromEntries(inlined.map(({ name, source }) => [name, source])),
    },
  });
  // V8 scans what it is given; words for people are in the declarations.
  const { output } = await build.generate({
    dir: join(folder, 'dist'),
    entryFileNames: '[name].js',
    chunkFileNames: '[name].bundle.js',
    codeSplitting: { groups: [...alone, { name: 'shared', test: /./, minShareCount: 2 }] },
    format: 'cjs',
    exports: 'named',
    sourcemap: true,
    comments: false,
    // V8 keeps and scans a text with a single other character in twice the space.
    charset: 'ascii',
    ...form,
  });
  await build.close();
  const chunks = output.filter(({ type }) => type === 'chunk');
  await Promise.all(
    chunks.flatMap(({ fileName, code, map }) => {
      const file = join(folder, 'dist', fileName);
      // An entry that only hands on what another file has needs no map.
      return map ? [use(file, code), use(`${file}.map`, map.toString())] : [use(file, code)];
    }),
  );
}

async function write(file, text) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** Leads a declaration to copies. The compiler finds it again as it was. */
async function lead(file, text) {
  await keepPlain(root, file, text);
  await write(file, text);
}

async function compare(file, text) {
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return;
  console.error(`${file} is older than its sources: run \`pnpm build\`.`);
  process.exitCode = 1;
}
