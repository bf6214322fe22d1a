import { wordsOf } from '@toolwright/json';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AppOptions, AppOptionsError } from './app-options.js';

export const pieceKinds = ['tool', 'resource', 'prompt'] as const;

/** A tool, resource or prompt to add to an app. */
export interface Piece {
  kind: (typeof pieceKinds)[number];
  /** The name as typed: words, joined by `_`, `-` or capital letters. */
  name: string;
}

/** How the sources of an app are written. */
export interface SourceStyle {
  /** The ending of a relative import. */
  importEnding: '.js' | '';
  /** The program that runs its tests. */
  runner: AppOptions['test'];
  /**
   * What a test imports `createServer` from, without an ending. Classes then get what their constructors need. Without it,
   * a test makes a server of the class alone.
   */
  server?: string;
}

/** A class with a decorated method, and its test. */
export interface PieceFiles {
  className: string;
  /** The name of the class's file, without an ending. */
  module: string;
  /** The text by file name. */
  files: Map<string, string>;
}

const templates = join(__dirname, '../templates');

/** @throws {AppOptionsError} if the name contains no words */
export function pieceFiles({ kind, name }: Piece, style: SourceStyle): PieceFiles {
  checkName(name);
  const words = wordsOf(name);
  const Pascal = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  const method = Pascal[0]!.toLowerCase() + Pascal.slice(1);
  checkMethodName(method, name, words);
  const spell = (text: string) =>
    text
      .replaceAll('readOnlyHint: true', toolHints(words))
      .replaceAll('piece_name', words.join('_'))
      .replaceAll('piece-name', words.join('-'))
      .replaceAll('PieceName', Pascal)
      .replaceAll('pieceName', method);
  const module = `${words.join('-')}-${kind}`;
  const read = (file: string) => spell(readFileSync(join(templates, 'pieces', file), 'utf8'));
  return {
    className: `${Pascal}${kind[0]!.toUpperCase()}${kind.slice(1)}`,
    module,
    files: new Map([
      [`${module}.ts`, read(`${kind}.ts`)],
      [
        `${module}.test.ts`,
        withEnding(forRunner(testOf(read(`${kind}.test.ts`), style), style.runner), style),
      ],
    ]),
  };
}

/** The templates make a server of the class alone. */
function testOf(text: string, { server }: SourceStyle): string {
  if (server === undefined) return text;
  return text
    .replace("import { createMcpServer } from '@toolwright/core';\n", '')
    .replace(/^import \{ \w+ \} from '\.\/.*$/m, `import { createServer } from '${server}.js';`)
    .replace(/createMcpServer\(\{.*\}\)/g, 'createServer()');
}

const NAME = /^[a-z][a-z\d]*(?:[_-]+[a-z\d]+)*$/i;

function checkName(name: string): void {
  if (name.length > 50 || !NAME.test(name))
    throw new AppOptionsError(`${name} is no name: use words of letters and digits, such as send_mail.`);
}

/**
 * A method is named after the piece. With these names it would be no method, or replace one that every object has.
 *
 * @throws {AppOptionsError} if the name is one of them
 */
function checkMethodName(method: string, name: string, words: readonly string[]): void {
  if (!(method in Object.prototype) && method !== 'then' && method !== 'prototype') return;
  throw new AppOptionsError(
    `${name} cannot be the name: "${method}" has a meaning of its own in JavaScript. Add a word, such as ${words.join('_')}_note.`,
  );
}

/** Gives relative imports the ending that the app uses. */
function withEnding(text: string, { importEnding }: Pick<SourceStyle, 'importEnding'>): string {
  return text.replace(/(from '\.[^']*?)\.js';/g, `$1${importEnding}';`);
}

/** Verbs of tools that change nothing. */
const reading = new Set(
  (
    'analyse analyze browse calculate check compare count describe detect diff estimate evaluate explain fetch find get ' +
    'inspect list look lookup match measure peek ping preview query read retrieve search show status suggest summarise ' +
    'summarize tail validate verify view'
  ).split(' '),
);

/** Verbs of tools that add something and remove nothing. */
const adding = new Set(
  'add append attach book create duplicate insert log make new post record register schedule send submit upload'.split(
    ' ',
  ),
);

/** Verbs of tools that remove something. */
const destroying = new Set(
  (
    'cancel clean clear delete destroy discard drop empty erase kill overwrite prune purge remove reset revert revoke ' +
    'rollback terminate trash truncate uninstall unlink wipe'
  ).split(' '),
);

/**
 * The annotations that a name suggests, as source text. If the verb says nothing about an annotation, it is
 * left out. Clients then assume the worst (server/tools, ToolAnnotations), and that is safe until the author
 * decides.
 */
export function toolHints([verb = '']: readonly string[]): string {
  if (reading.has(verb)) return 'readOnlyHint: true';
  if (adding.has(verb)) return 'readOnlyHint: false, destructiveHint: false';
  return destroying.has(verb) ? 'readOnlyHint: false, destructiveHint: true' : 'readOnlyHint: false';
}

/**
 * Rewrites a test for another runner. The templates are for the test runner of Node.js. Everything they use has a
 * counterpart in the other runners.
 */
export function forRunner(text: string, runner: AppOptions['test']): string {
  if (runner === 'node') return text;
  const imports = runner === 'vitest' ? "import { expect, test } from 'vitest';\n" : '';
  return text
    .replace(/^import assert.*\nimport \{ test \}.*\n/, imports)
    .replace(
      /assert\.(\w+)\(([^,]+), ([\s\S]*?)\);\n/g,
      (_check, name: keyof typeof matchers, actual, expected) => {
        return `expect(${actual}).${matchers[name]}(${expected});\n`;
      },
    );
}

const matchers = { deepEqual: 'toEqual', equal: 'toBe', match: 'toMatch' };

const mountTemplates = join(__dirname, '../templates/mount');

/**
 * The files that an Express app needs to serve its first tool: text by file name. `mcp-endpoint` exports
 * `mcpEndpoint`.
 */
export function mountFiles(
  app: { name: string; version: string },
  style: Pick<SourceStyle, 'importEnding'>,
): Map<string, string> {
  const read = (file: string) => readFileSync(join(mountTemplates, file), 'utf8');
  const endpoint = read('mcp-endpoint.ts')
    .replace("'my-server'", quoted(app.name))
    .replace("'0.1.0'", quoted(app.version));
  return new Map([
    ['app-tools.ts', read('app-tools.ts')],
    ['mcp-endpoint.ts', withEnding(endpoint, style)],
  ]);
}

/** The name in a user's `package.json` may contain any character. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replace(/[\r\n]/g, ' ')}'`;
}
