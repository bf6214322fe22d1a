import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AppOptions } from './app-options.js';
import { dockerfile, ignoreFile, type WorkspacePackage } from './container-files.js';
import { forRunner } from './piece-files.js';

const templates = join(__dirname, '../templates');

/** The placeholder for the app's name in templates. */
const placeholder = /my-server/g;

/**
 * The files of an app: text by path, with forward slashes.
 *
 * @param packageName its name on npm; the names of the server and of its image leave the scope out
 * @param folder its folder in a workspace of pnpm, if it is in one
 */
export function appFiles(packageName: string, options: AppOptions, folder?: string): Map<string, string> {
  const name = packageName.split('/').at(-1)!;
  const { transport, signIn, db, tools, view } = options;
  const main = signIn === 'none' ? transport : `${transport}-${signIn}`;
  const files = new Map<string, string>();
  for (const part of partsOf(options)) addPart(files, part);
  files.set('src/main.ts', read('mains', `${main}.ts`));
  files.set('src/note-store.ts', read('stores', `${db}.ts`));
  if (signIn !== 'none') guardNotes(files);
  if (hasStores(signIn)) shareStores(files);
  if (signIn === 'grants') callOtherApi(files);
  if (tools !== 'list') chooseList(files, listings[tools]);
  if (view !== 'none') addView(files);
  for (const [path, text] of files) files.set(path, adapt(path, text, options).replace(placeholder, name));
  const workspace = folder === undefined ? undefined : { name: packageName, folder };
  if (workspace) buildAtRoot(files, { name, folder: workspace.folder });
  const reach = transport === 'stdio' ? 'stdio' : 'http';
  files.set('Dockerfile', dockerfile({ transport: reach, hasData: true, ...(workspace && { workspace }) }));
  const ignore = ignoreFile(workspace);
  files.set(ignore.name, `${ignore.lines.join('\n')}\n`);
  files.set('package.json', json(describePackage(packageName, options)));
  files.set('.vscode/mcp.json', json({ servers: { [name]: hostEntry(transport) } }));
  files.set('.mcp.json', json({ mcpServers: { [`${name}-dev`]: devEntry } }));
  return files;
}

/** In a workspace, the image is built at its root. */
function buildAtRoot(files: Map<string, string>, { name, folder }: WorkspacePackage): void {
  const before = `docker build -t ${name} .`;
  const after = `docker build -f ${folder}/Dockerfile -t ${name} .   # at the root of the workspace`;
  files.set('README.md', files.get('README.md')!.replace(before, after));
}

const partsOf = ({ transport, signIn, test, tools, view }: AppOptions): string[] => [
  'base',
  transport === 'stdio' ? 'stdio' : 'http',
  ...(transport === 'both' ? ['both'] : []),
  ...partsOfSignIn[signIn],
  ...(tools === 'list' ? [] : [tools]),
  ...(view === 'none' ? [] : ['view']),
  ...(test === 'node' ? [] : [test]),
];

const partsOfSignIn: Record<AppOptions['signIn'], string[]> = {
  none: [],
  jwt: ['jwt'],
  keys: ['shared', 'keys'],
  grants: ['shared', 'jwt', 'grants'],
};

/** Keys and grants outlive the process. */
const hasStores = (signIn: AppOptions['signIn']): boolean => signIn === 'keys' || signIn === 'grants';

/** The templates are ES modules, and their tests are for the test runner of Node.js. */
function adapt(path: string, text: string, { test, module, db, view }: AppOptions): string {
  if (path.endsWith('.test.ts')) return forRunner(text, test);
  if (path === 'src/main.ts' && module === 'cjs') return text.replaceAll('import.meta.dirname', '__dirname');
  if (path === VIEW && view === 'react')
    return text.replace('preact/hooks', 'react').replace('views/preact', 'views/react');
  if (path === EDITOR && view === 'react') return text.replace('"preact"', '"react"');
  if (path === 'tsconfig.json' && test === 'jest') return text.replace('["node"]', '["node", "jest"]');
  if (path === 'jest.config.cjs' && db === 'none') return text.replace(/ {2}\/\/ Jest cannot.*\n.*\n/, '');
  return text;
}

/** With sign-in, callers need a scope for each tool, and the test calls as somebody who has both. */
function guardNotes(files: Map<string, string>): void {
  const change = (path: string, pairs: [before: string, after: string][]) =>
    files.set(
      path,
      pairs.reduce((text, pair) => text.replaceAll(...pair), files.get(path)!),
    );
  const needs = (tool: string, scope: string): [string, string] => [
    `  @McpTool({ name: '${tool}'`,
    `  @RequireScopes('notes:${scope}')\n  @McpTool({ name: '${tool}'`,
  ];
  change('src/note-tools.ts', [
    ['McpService, McpTool }', 'McpService, McpTool, RequireScopes }'],
    needs('find_notes', 'read'),
    needs('add_note', 'write'),
  ]);
  change('src/note-tools.test.ts', [
    ['connect(server)', 'connect(server, { principal: ann })'],
    [
      "\ntest('a note",
      "\nconst ann = { subject: 'ann', scopes: ['notes:read', 'notes:write'] };\n\ntest('a note",
    ],
  ]);
}

/** The server has a tool that calls another API. It needs the package of the local issuer in production, too. */
function callOtherApi(files: Map<string, string>): void {
  const path = 'src/create-server.ts';
  const text = files
    .get(path)!
    .replace(
      'import { NoteStore }',
      "import { AccountTools } from './account-tools.js';\nimport { NoteStore }",
    )
    .replace('services: [NoteTools]', 'services: [NoteTools, AccountTools]');
  files.set(path, text);
  const readMe = files.get('README.md')!;
  files.set('README.md', readMe.replace(/ and\s`npm uninstall @toolwright\/identity`/, ''));
}

/** The server opens and closes the stores. */
function shareStores(files: Map<string, string>): void {
  const path = 'src/create-server.ts';
  const text = files
    .get(path)!
    .replace(
      "import { NoteTools } from './note-tools.js';\n",
      "$&import type { OpenedStores } from './open-stores.js';\n",
    )
    .replace('(folder?: string) =>', '(folder?: string, shared?: OpenedStores) =>')
    .replace(
      '  createMcpServer({\n',
      '$&    ...(shared && { stores: [shared.stores], secrets: shared.secrets }),\n',
    );
  files.set(path, text);
}

/** What clients get in place of the list of tools: why, and the option for it. */
const listings: Readonly<Record<Exclude<AppOptions['tools'], 'list'>, string>> = {
  search: `// Clients whose tools take more tokens than this get a search in place of the list.
    toolSearch: { above: 8_000 },`,
  code: `// Models write programs that call the tools. Each call in a program has every guard.
    codeMode: true,`,
};

function chooseList(files: Map<string, string>, option: string): void {
  const path = 'src/create-server.ts';
  files.set(path, files.get(path)!.replace(/( {4}services: .*\n)/, `$1    ${option}\n`));
}

const VIEW = 'src/views/notes.tsx';
/** With it, editors know the types of pages. The build has options of its own. */
const EDITOR = 'src/views/tsconfig.json';

/** The tool names its view. Pages have other types than Node.js, so the server leaves them out. */
function addView(files: Map<string, string>): void {
  const change = (path: string, before: string, after: string) =>
    files.set(path, files.get(path)!.replace(before, after));
  change(
    'src/note-tools.ts',
    "  @McpTool({ name: 'find_notes', annotations: { readOnlyHint: true, openWorldHint: false } })\n",
    [
      '  @McpTool({',
      "    name: 'find_notes',",
      '    annotations: { readOnlyHint: true, openWorldHint: false },',
      "    ui: { view: './views/notes.tsx' },",
      '  })\n',
    ].join('\n'),
  );
  change('tsconfig.json', '"include": ["src"]', '"include": ["src"],\n  "exclude": ["src/views"]');
}

/** Lets a coding agent see what `toolwright dev` sees. */
const devEntry = { command: 'npx', args: ['--no', 'toolwright', 'dev', '--mcp'] };

/** Adds the files of a part. If a file already exists, the new text is added at its end. */
function addPart(files: Map<string, string>, part: string): void {
  for (const path of filesBelow(part)) {
    const name = path.replace(/^gitignore$/, '.gitignore');
    const before = files.get(name);
    files.set(name, before === undefined ? read(part, path) : `${before}\n${read(part, path)}`);
  }
}

/** Yarn keeps a package as an archive, whose folders cannot be read recursively. */
function filesBelow(folder: string): string[] {
  return readdirSync(join(templates, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesBelow(`${folder}/${entry.name}`).map((path) => `${entry.name}/${path}`)
      : [entry.name],
  );
}

const read = (...path: string[]) => readFileSync(join(templates, ...path), 'utf8');
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/**
 * How a host such as VS Code starts or reaches the app. With both transports it is stdio, because that needs
 * no port.
 */
function hostEntry(transport: AppOptions['transport']): object {
  if (transport === 'http') return { type: 'http', url: 'http://127.0.0.1:3000/mcp' };
  const args = ['${workspaceFolder}/dist/main.js', ...(transport === 'both' ? ['--stdio'] : [])];
  return { type: 'stdio', command: 'node', args };
}

/** The version of this package. All packages of Toolwright have the same version. */
export function ownVersion(): string {
  const text = readFileSync(join(__dirname, '../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** The `package.json` of an app. */
function describePackage(
  name: string,
  { transport, signIn, db, test, module, tools, view }: AppOptions,
): object {
  const version = ownVersion();
  return {
    name,
    version: '0.1.0',
    private: true,
    type: module === 'esm' ? 'module' : 'commonjs',
    engines: { node: '>=20.19' },
    // What a package, a bundle and an image have. Without it npm would leave out what .gitignore names.
    files: ['dist', '!dist/**/*.test.*', 'mcp.*.json'],
    scripts: {
      build: 'tsc && toolwright build',
      dev: 'toolwright dev',
      start: 'node --enable-source-maps dist/main.js',
      test: `npm run build && ${testCommands[test]}`,
    },
    dependencies: {
      ...((db === 'pglite' || hasStores(signIn)) && { '@electric-sql/pglite': '0.5.16' }),
      '@toolwright/core': version,
      ...(transport !== 'stdio' && { '@toolwright/http': version }),
      ...(hasStores(signIn) && { '@toolwright/identity': version, '@toolwright/postgres': version }),
      ...(tools !== 'list' && { [`@toolwright/${tools}`]: version }),
      ...(transport !== 'http' && { '@toolwright/stdio': version }),
      'class-transformer': '0.5.1',
      'class-validator': '0.15.1',
    },
    // 8.4.0 has an optional package that is not in the registry. Yarn from 2 on refuses it, the others leave it out.
    ...(test === 'vitest' && { resolutions: { vite: VITE } }),
    devDependencies: {
      '@toolwright/cli': version,
      // The issuer of `npm run dev`. Production has a real one.
      ...(signIn === 'jwt' && { '@toolwright/identity': version }),
      '@toolwright/testing': version,
      // What builds the view. Production has the page.
      ...(view !== 'none' && { '@toolwright/views': version, vite: VITE, ...viewPackages[view] }),
      '@types/node': '20.19.43',
      ...testPackages[test],
      typescript: '5.9.3',
    },
  };
}

const testCommands: Record<AppOptions['test'], string> = {
  // Errors then name the sources.
  node: 'node --enable-source-maps --test dist/*.test.js',
  vitest: 'vitest run',
  jest: 'jest',
};

const VITE = '8.3.8';

const viewPackages: Record<Exclude<AppOptions['view'], 'none'>, Record<string, string>> = {
  preact: { preact: '11.2.0' },
  react: { '@types/react': '19.3.0', '@types/react-dom': '19.3.0', react: '19.3.1', 'react-dom': '19.3.1' },
};

const testPackages: Record<AppOptions['test'], Record<string, string>> = {
  node: {},
  // Vitest 5 needs Node.js 22.12.
  vitest: { vitest: '4.1.12' },
  jest: { '@swc/core': '1.16.22', '@swc/jest': '0.2.39', '@types/jest': '30.0.0', jest: '30.5.2' },
};
