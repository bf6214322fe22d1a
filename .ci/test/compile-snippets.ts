import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programs } from '../../packages/cli/test/support/project-folder.js';
import type { Snippet } from './snippet.js';
import { temporaryFolder } from './support/temporary-folder.js';

/**
 * Type-checks all snippets in one program, against the packages as they are published.
 *
 * @returns one line per error: `docs/testing.md:12:5: TS2345: …`
 */
export function compileSnippets(root: string, snippets: Snippet[]): string[] {
  const folder = temporaryFolder();
  symlinkSync(installedIn(root), join(folder, 'node_modules'), 'dir');
  const written = new Map(snippets.map((snippet, index) => [virtualPath(snippet, index), snippet]));
  const files = new Map([...filesThatStay(snippets), ...written]);
  // As ES modules: a page may use `await` at the top level.
  write(join(folder, 'package.json'), '{"type":"module"}');
  for (const [path, { lines }] of files) write(join(folder, path), `${lines.join('\n')}\nexport {};\n`);
  const settings = {
    extends: join(root, 'tsconfig.test.json'),
    compilerOptions: { paths: {}, typeRoots: [join(root, 'node_modules/@types')] },
    include: [],
    files: [...files.keys()],
  };
  write(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const { stdout } = spawnSync(process.execPath, [programs.tsc, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return [...stdout.matchAll(/^(\S.*?)\((\d+),(\d+)\): error (TS\d+: .*(?:\n .*)*)/gm)].flatMap(
    ([, path, line, column, text]) => {
      const snippet = written.get(path!);
      if (!snippet) return files.has(path!) ? [] : [`${path}:${line}:${column}: ${text}`];
      const { page, origin } = snippet;
      return [`${page}:${origin[Number(line) - 1] ?? origin.at(-1)}:${column}: ${text}`];
    },
  );
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** A folder of its own per page and stage, whose blocks then see each other and nothing else. */
const virtualPath = ({ page, file, stage }: Snippet, index: number): string =>
  `${page}.snippets/stage-${stage}/${file ?? `block-${index}.ts`}`;

/** The files of each stage that a page wrote in an earlier one and not again. They were checked there. */
function filesThatStay(snippets: Snippet[]): [string, Snippet][] {
  const last = new Map(snippets.map(({ page, stage }) => [page, stage]));
  return snippets.flatMap((snippet, index) => {
    if (snippet.file === undefined) return [];
    const later = last.get(snippet.page)! - snippet.stage;
    return Array.from({ length: later }, (_, step): [string, Snippet] => [
      virtualPath({ ...snippet, stage: snippet.stage + step + 1 }, index),
      snippet,
    ]);
  });
}

let installed: string | undefined;

/** Pages have no dependencies of their own: they may import whatever some package of the workspace depends on. */
function installedIn(root: string): string {
  if (installed) return installed;
  installed = temporaryFolder();
  const rooms = ['packages', 'apps'].flatMap((room) =>
    readdirSync(join(root, room)).map((name) => join(root, room, name)),
  );
  for (const from of [root, ...rooms].map((folder) => join(folder, 'node_modules')))
    if (existsSync(from)) linkAll(from, installed);
  // Packages that no other one depends on.
  for (const name of readdirSync(join(root, 'packages')))
    if (name !== 'create-toolwright')
      link(join(root, 'packages', name), join(installed, '@toolwright', name));
  return installed;
}

function linkAll(from: string, to: string): void {
  for (const name of readdirSync(from).filter((each) => !each.startsWith('.'))) {
    if (name.startsWith('@')) linkAll(join(from, name), join(to, name));
    else link(join(from, name), join(to, name));
  }
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (!lstatSync(path, { throwIfNoEntry: false })) symlinkSync(target, path, 'dir');
}
