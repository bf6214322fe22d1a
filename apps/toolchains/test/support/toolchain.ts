/** How the shared app is built and started with one toolchain. Commands run in a copy of the app. */
export interface Toolchain {
  /** The first column of the matrix. */
  name: string;
  decorators: 'legacy' | 'standard';
  /** What the project has to set; the third column of the matrix. */
  settings: string;
  /** The tsconfig among the configs. */
  tsconfig: string;
  /** Default: ES modules. */
  type?: 'commonjs';
  /** The commands that build it, each with the file of its program. */
  build: readonly (readonly string[])[];
  /** What Node.js starts. */
  start: readonly string[];
}

const tsc = (typescript = 'typescript') => [`node_modules/${typescript}/bin/tsc`, '-p', 'tsconfig.json'];

/** A bundle of everything that the app imports. */
export const esbuild = (...options: string[]) => [
  'node_modules/esbuild/bin/esbuild',
  'src/main.ts',
  '--bundle',
  '--platform=node',
  '--target=node20',
  '--log-level=warning',
  ...options,
];
/** Type checks cost a second each, and `pnpm typecheck` has checked these files. */
const unchecked = '--noCheck';

/** In the order of the matrix. */
export const toolchains: readonly Toolchain[] = [
  {
    name: 'tsc, CommonJS',
    decorators: 'legacy',
    settings: '`experimentalDecorators`, with or without `emitDecoratorMetadata`',
    tsconfig: 'tsconfig.metadata.json',
    type: 'commonjs',
    build: [[...tsc(), unchecked]],
    start: ['dist/main.js'],
  },
  {
    name: 'tsc, ES modules (`nodenext`)',
    decorators: 'legacy',
    settings: '`experimentalDecorators`',
    tsconfig: 'tsconfig.json',
    build: [[...tsc(), unchecked]],
    start: ['dist/main.js'],
  },
  {
    name: 'tsc, `verbatimModuleSyntax`',
    decorators: 'legacy',
    settings: '`experimentalDecorators`',
    tsconfig: 'tsconfig.verbatim.json',
    build: [[...tsc(), unchecked]],
    start: ['dist/main.js'],
  },
  {
    name: 'TypeScript 5.9',
    decorators: 'standard',
    settings: 'none',
    tsconfig: 'tsconfig.standard.json',
    build: [tsc()],
    start: ['dist/main.js'],
  },
  {
    name: 'TypeScript 6.0',
    decorators: 'standard',
    settings: 'none',
    tsconfig: 'tsconfig.standard.json',
    build: [tsc('typescript-6')],
    start: ['dist/main.js'],
  },
  {
    name: 'TypeScript 7.0',
    decorators: 'standard',
    settings: 'none',
    tsconfig: 'tsconfig.standard.json',
    build: [tsc('typescript-7')],
    start: ['dist/main.js'],
  },
  {
    name: 'SWC without metadata',
    decorators: 'legacy',
    settings: '`legacyDecorator`, with or without `decoratorMetadata`',
    tsconfig: 'tsconfig.json',
    build: [['swc.mjs']],
    start: ['dist/main.js'],
  },
  {
    name: 'tsx',
    decorators: 'legacy',
    settings: '`experimentalDecorators`',
    tsconfig: 'tsconfig.json',
    build: [],
    start: ['node_modules/tsx/dist/cli.mjs', 'src/main.ts'],
  },
  {
    name: 'tsx',
    decorators: 'standard',
    settings: 'none',
    tsconfig: 'tsconfig.standard.json',
    build: [],
    start: ['node_modules/tsx/dist/cli.mjs', 'src/main.ts'],
  },
  {
    name: 'esbuild, one file with all packages, CommonJS',
    decorators: 'legacy',
    settings: '`experimentalDecorators`, `verbatimModuleSyntax`',
    tsconfig: 'tsconfig.verbatim.json',
    build: [esbuild('--format=cjs', '--outfile=out/app.cjs')],
    start: ['out/app.cjs'],
  },
  {
    name: 'esbuild, one file with all packages, minified',
    decorators: 'legacy',
    settings: '`experimentalDecorators`, `verbatimModuleSyntax`',
    tsconfig: 'tsconfig.verbatim.json',
    build: [esbuild('--format=cjs', '--minify', '--outfile=out/app.cjs')],
    start: ['out/app.cjs'],
  },
  {
    name: 'esbuild, minified, ES modules',
    decorators: 'standard',
    settings: '`verbatimModuleSyntax`',
    tsconfig: 'tsconfig.standard.json',
    build: [esbuild('--format=esm', '--packages=external', '--minify', '--outfile=out/app.mjs')],
    start: ['out/app.mjs'],
  },
  {
    name: 'Rolldown',
    decorators: 'legacy',
    settings: '`experimentalDecorators`, `verbatimModuleSyntax`',
    tsconfig: 'tsconfig.verbatim.json',
    build: [['node_modules/rolldown/bin/cli.mjs', '-c', 'rolldown.config.mjs']],
    start: ['out/rolldown/plain.mjs'],
  },
  {
    name: 'Rolldown, minified',
    decorators: 'legacy',
    settings: '`experimentalDecorators`, `verbatimModuleSyntax`',
    tsconfig: 'tsconfig.verbatim.json',
    build: [['node_modules/rolldown/bin/cli.mjs', '-c', 'rolldown.config.mjs']],
    start: ['out/rolldown/minified.mjs'],
  },
  {
    name: 'Vite 8, SSR build',
    decorators: 'legacy',
    settings: '`experimentalDecorators`, `verbatimModuleSyntax`',
    tsconfig: 'tsconfig.verbatim.json',
    build: [['node_modules/vite/bin/vite.js', 'build']],
    start: ['out/vite/main.js'],
  },
];
