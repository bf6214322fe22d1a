import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { sealDocument } from '../safety/seal-document.js';
import { baseStyles } from './base-styles.js';
import { bundlerSettings, isRolldown } from './bundler-settings.js';
import { SourceOrigins } from './find-origins.js';
import { ShortLibraries } from './short-libraries.js';
import type { ViewSource } from './tool-view.js';

type Vite = typeof import('vite');

/** The folder of this package, from its sources and from what is published. */
const home = join(__dirname, '../..');

/** A page, and the origins that its source shows. */
export interface BundledView {
  readonly html: string;
  readonly csp: Record<string, readonly string[]> | undefined;
  /** The files that it was made of, without those of packages. */
  readonly inputs: readonly string[];
}

/** @throws when the project has no Vite */
export async function loadVite(root: string): Promise<Vite> {
  // Before Vite 7, `require` finds a file that warns, and has none of the names.
  const found = createRequire(join(root, 'package.json')).resolve('vite');
  const path = found.replace(/\bindex\.cjs$/, 'dist/node/index.js');
  return (await import(pathToFileURL(path).href)) as Vite;
}

interface Bundling {
  readonly vite: Vite;
  readonly root: string;
  /** The tools whose results are not objects. */
  readonly wrapped: readonly string[];
  /** False: only libraries and white space are shortened, which is faster. */
  readonly minify: boolean;
  readonly libraries?: ShortLibraries;
}

/**
 * Builds one self-contained page.
 *
 * @throws {Error} with the place, when a file cannot be compiled
 */
export async function bundleView(
  { path, kind, tools }: ViewSource,
  { vite, root, wrapped, minify, libraries = new ShortLibraries() }: Bundling,
): Promise<BundledView> {
  const origins = new SourceOrigins();
  const names = tools.map(({ tool }) => tool);
  const options = { name: names[0], tool: names[0], wrapped };
  const entry = [
    `import * as file from ${JSON.stringify(path)};`,
    `import { mountView } from ${JSON.stringify(browserFile(`mount-${kind}`))};`,
    `const { default: View, words, displayModes, partial } = file;`,
    `mountView(View, { ...${JSON.stringify(options)}, words, displayModes, partial });`,
  ].join('\n');
  const settings = bundlerSettings(vite, {
    input: ENTRY,
    jsx: kind === 'preact' ? 'preact' : 'react',
    minify,
  });
  const output = await vite.build({
    ...settings,
    configFile: false,
    envFile: false,
    publicDir: false,
    root,
    logLevel: 'silent',
    plugins: [
      virtualEntry(entry),
      origins.plugin(),
      ...(minify || !isRolldown(vite) ? [] : [libraries.plugin(vite)]),
    ],
    resolve: {
      dedupe: ['react', 'react-dom', 'preact'],
      // What views import of this package is the file for browsers, wherever it is installed.
      alias: [
        { find: /^@toolwright\/views$/, replacement: browserFile('index') },
        { find: /^@toolwright\/views\/(p?react)$/, replacement: browserFile('$1') },
      ],
    },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      ...settings.build,
      write: false,
      target: 'es2022',
      // For older browsers, light-dark() would become variables that only a style sheet with `color-scheme` sets.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      cssCodeSplit: false,
      modulePreload: false,
      reportCompressedSize: false,
    },
  });
  const files = (Array.isArray(output) ? output : [output]).flatMap((each) =>
    'output' in each ? each.output : [],
  );
  const script = files.flatMap((file) => (file.type === 'chunk' ? [file.code] : [])).join('\n');
  const styles = files.flatMap((file) =>
    file.type === 'asset' && file.fileName.endsWith('.css') ? [String(file.source)] : [],
  );
  const modules = files.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const inputs = modules
    .map((id) => id.replace(/\?.*$/, ''))
    .filter((id) => !/[\\/]node_modules[\\/]|^\0/.test(id))
    .map((id) => resolve(id));
  for (const text of styles) origins.addStyles(text);
  const page = pageOf(names[0]!, [baseStyles, ...styles].join(''), script);
  const html = sealDocument(page, { scriptOrigins: origins.csp?.resourceDomains ?? [] });
  return { html, csp: origins.csp, inputs };
}

const browserFile = (name: string) => join(home, `dist/browser/${name}.mjs`);

const ENTRY = 'virtual:toolwright-view';

function virtualEntry(code: string): Plugin {
  return {
    name: 'toolwright:view',
    resolveId: (id) => (id === ENTRY ? `\0${ENTRY}` : undefined),
    load: (id) => (id === `\0${ENTRY}` ? code : undefined),
  };
}

function pageOf(title: string, styles: string, script: string): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title>`,
    `<style>${styles.replace(/<\/style/gi, '<\\/style')}</style>`,
    '</head>',
    '<body>',
    // A text such as `</script>` in the code would end the script.
    `<script type="module">${script.replace(/<\/script/gi, '<\\/script').replace(/<!--/g, '\\x3C!--')}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
