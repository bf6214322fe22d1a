import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative } from 'node:path';
import { findBuild } from '@toolwright/operate';
import { CommandError, inLine } from '@toolwright/operate/terminal';
import type { AppReport, AppSnapshot } from './app-snapshot.js';

/** How many milliseconds an app may take until it has made its server. */
const STARTING_MS = 60_000;

/** How many characters at the end of standard error are remembered. */
const REMEMBERED = 4_000;

interface Look {
  /** Whose lists are read. Default: those of a caller without a tenant. */
  readonly tenant?: string | undefined;
  /** The app accepts what servers behind offer now. */
  readonly accepts?: boolean | undefined;
}

/**
 * Runs an app in a process of its own up to the point where it would serve, and looks at the servers that it made. It
 * opens no port, reads no input and writes no audit log; works on no task and runs no schedule.
 *
 * @param named the compiled file, as `--app` has it
 * @throws {CommandError} with one line, if the file is not there or makes no server
 */
export async function lookAtApp(
  named: string,
  cwd: string,
  { tenant, accepts }: Look = {},
): Promise<AppSnapshot> {
  const file = findBuild(named, cwd);
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', '--require', join(__dirname, 'child/look-at-app.js'), file],
    {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: {
        ...process.env,
        TOOLWRIGHT_LOOK: String(process.pid),
        ...(tenant !== undefined && { TOOLWRIGHT_LOOK_TENANT: tenant }),
        ...(accepts && { TOOLWRIGHT_LOOK_ACCEPT: '1' }),
      },
    },
  );
  let report: AppReport | undefined;
  let written = '';
  child.on('message', (message: AppReport) => (report ??= message));
  child
    .stderr!.setEncoding('utf8')
    .on('data', (chunk: string) => (written = (written + chunk).slice(-REMEMBERED)));
  const timer = setTimeout(() => child.kill('SIGKILL'), STARTING_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  if (report?.is === 'seen') return report.snapshot;
  const said = report?.message ?? written;
  const why =
    said.trim() ||
    (code === null ? `it made no server for ${STARTING_MS / 1_000} s` : `it ended with ${code}`);
  throw new CommandError(`${relative(cwd, file)} cannot be loaded: ${oneLine(why)}`);
}

/** The heading of the configuration's problems, the stack lines of Node.js, and the reference to the list of codes. */
const NOISE =
  /^(?:The configuration has .* problems?:|at |node_modules\/@toolwright\/core\/docs|Node\.js v|\^+$)/;

function oneLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !NOISE.test(line));
  return inLine(lines.join(' '));
}
