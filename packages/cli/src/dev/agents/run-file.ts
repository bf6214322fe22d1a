import { createHash, randomBytes } from 'node:crypto';
import { realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { CommandError } from '@toolwright/operate/terminal';
import { PRIVATE_FILE, makePrivateFolder, readPrivateFile } from '../../changes/private-file.js';

/** What a running `dev` leaves for agents of the same user. */
export interface RunFile {
  readonly pid: number;
  readonly port: number;
  /** The secret of the run. It is never sent: see `run-bridge.ts`. */
  readonly token: string;
}

/**
 * Writes the file of a run. It is outside of the project, so that nobody commits it.
 *
 * @param project absolute path of the tsconfig
 * @returns a function that removes the file, unless a later run has written its own
 * @throws {CommandError} when the folder could be read or changed by others
 */
export function writeRunFile(
  project: string,
  run: RunFile,
  env: NodeJS.ProcessEnv = process.env,
): () => void {
  const folder = folderIn(env);
  makePrivateFolder(folder);
  const path = join(folder, nameOf(project));
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, JSON.stringify(run), { mode: PRIVATE_FILE, flag: 'wx' });
  renameSync(draft, path);
  return () => {
    if (readIfThere(path)?.token === run.token) rmSync(path, { force: true });
  };
}

/**
 * Reads the file of the run that works on a project.
 *
 * @throws {CommandError} when there is no such file, or others could have written it
 */
export function readRunFile(project: string, env: NodeJS.ProcessEnv = process.env): RunFile {
  const run = readIfThere(join(folderIn(env), nameOf(project)));
  if (run) return run;
  throw new CommandError(
    `No "toolwright dev" works on ${project}. Start it in the folder of the project: npx --no toolwright dev`,
  );
}

function readIfThere(path: string): RunFile | undefined {
  const text = readPrivateFile(path);
  return text === undefined ? undefined : parse(path, text);
}

function parse(path: string, text: string): RunFile {
  try {
    const { pid, port, token } = JSON.parse(text) as RunFile;
    if (Number.isInteger(pid) && Number.isInteger(port) && typeof token === 'string')
      return { pid, port, token };
  } catch {
    // Reported below.
  }
  throw new CommandError(`${path} was not written by "toolwright dev". Remove it, and start dev again.`);
}

/** The folder for such files of the system, which ends with the login; otherwise one in the home of the user. */
function folderIn({ XDG_RUNTIME_DIR: runtime }: NodeJS.ProcessEnv): string {
  return runtime !== undefined && isAbsolute(runtime)
    ? join(runtime, 'toolwright')
    : join(homedir(), '.toolwright', 'run');
}

function nameOf(project: string): string {
  let path = project;
  try {
    // Shells of Windows write the drive as `c:` or as `C:`; this asks the system for its own spelling.
    path = realpathSync.native(project);
  } catch {
    // A project that does not exist has no run, either.
  }
  return `${createHash('sha256').update(path).digest('hex').slice(0, 32)}.json`;
}
