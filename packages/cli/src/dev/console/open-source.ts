import spawn from 'cross-spawn';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { ParamsOf } from '@toolwright/console';

type Refusal = (message: string) => Error;

/** Editors that need the terminal, which belongs to `dev` and perhaps to a protocol. */
const needTerminal = ['vi', 'vim', 'nvim', 'emacs', 'nano', 'hx', 'micro'];

export interface OpenSourceOptions {
  /** The folder of the project. */
  readonly directory: string;
  readonly refusal: Refusal;
  /** Starts the editor. Tests pass their own. */
  readonly start?: (editor: string, args: readonly string[]) => Promise<void>;
}

/**
 * Opens a place in the editor of the person. `launch-editor` knows which editor runs and which arguments it takes. The
 * editor is started without a shell, and without the streams of `dev`, which may carry a protocol.
 *
 * @throws the refusal when the place is outside of the workspace, or no editor is known
 */
export async function openSource(
  { location }: ParamsOf<'openSource'>,
  { directory, refusal, start = startDetached }: OpenSourceOptions,
): Promise<Record<string, never>> {
  const match = /^([^\0]+?):(\d{1,7}):(\d{1,7})$/.exec(String(location));
  if (!match) throw refusal('A place is written as file:line:column.');
  const [, named, line, column] = match;
  const file = insideWorkspace(resolve(directory, named!), directory);
  if (file === undefined) throw refusal(`${named} is no file of this workspace.`);
  const { guess, argumentsFor } = loadEditors();
  const [editor, ...args] = guess();
  if (!editor || needTerminal.includes(basename(editor)))
    throw refusal(
      'No editor with a window was found. Start yours, or name it in LAUNCH_EDITOR, such as LAUNCH_EDITOR=code.',
    );
  try {
    await start(editor, [...args, ...argumentsFor(editor, file, line!, column!)]);
  } catch (error) {
    throw refusal(`${editor} cannot be started: ${(error as Error).message}`);
  }
  return {};
}

/** The real path of a file inside the workspace; links that lead out of it do not count. */
function insideWorkspace(path: string, directory: string): string | undefined {
  try {
    const file = realpathSync.native(path);
    const root = realpathSync.native(workspaceOf(directory));
    return file.startsWith(root + sep) && statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

/** The folder of the workspace that a project belongs to; the project itself, if it belongs to none. */
export function workspaceOf(directory: string): string {
  for (let folder = directory; dirname(folder) !== folder; folder = dirname(folder))
    if (existsSync(join(folder, 'pnpm-workspace.yaml')) || declaresWorkspaces(join(folder, 'package.json')))
      return folder;
  return directory;
}

function declaresWorkspaces(file: string): boolean {
  try {
    return 'workspaces' in (JSON.parse(readFileSync(file, 'utf8')) as object);
  } catch {
    return false;
  }
}

interface Editors {
  /** The command of the editor, and its first arguments. */
  guess(): (string | null | undefined)[] & { 0?: string | null };
  argumentsFor(editor: string, file: string, line: string, column: string): string[];
}

function loadEditors(): { guess: () => string[]; argumentsFor: Editors['argumentsFor'] } {
  /* eslint-disable @typescript-eslint/no-require-imports */
  const guess = require('launch-editor/guess') as Editors['guess'];
  const argumentsFor = require('launch-editor/get-args') as Editors['argumentsFor'];
  /* eslint-enable @typescript-eslint/no-require-imports */
  return { guess: () => guess().filter((word) => typeof word === 'string'), argumentsFor };
}

/**
 * Starts a program that goes on without `dev`: without a shell, and without the streams of `dev`, which may carry a
 * protocol.
 *
 * @throws {Error} when it cannot be started
 */
export function startDetached(program: string, args: readonly string[]): Promise<void> {
  return new Promise((done, failed) => {
    // On Windows some editors are batch files, such as code.cmd, and what is detached opens a console.
    const child = spawn(program, [...args], { stdio: 'ignore', detached: true, windowsHide: true });
    child.once('error', failed);
    child.once('spawn', () => {
      child.unref();
      done();
    });
  });
}
