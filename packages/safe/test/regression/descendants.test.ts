import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { until } from '../../../../.ci/test/support/until.js';
import { runCommand, type RunCommandOptions } from '../../src/index.js';

/** Only Linux shows which descendants have left the process group. */
const onLinux = process.platform === 'linux' ? describe : describe.skip;

const shell = '/bin/sh';

let folder: string;
let pids: string;
beforeEach(async () => {
  folder = temporaryFolder();
  pids = join(folder, 'pids');
});

/** A program that never ends by itself, and writes its process id to a file. */
const lasting = `echo $$ >> "$PIDS"; while :; do sleep 1; done`;

/** Ways to leave the process group, so that the parent no longer sees the process. */
const escapes: Record<string, string> = {
  'in the background': `sh -c '${lasting}' &`,
  'in a session of its own': `setsid sh -c '${lasting}' &`,
  'in a session of its own, forked twice': `(setsid sh -c '(${lasting}) &' &)`,
  'with its streams closed': `setsid sh -c '${lasting}' </dev/null >/dev/null 2>&1 &`,
  'that starts others': `setsid sh -c 'for i in 1 2 3; do setsid sh -c "echo \\$\\$ >> $PIDS; sleep 1000" & done; ${lasting}' &`,
};

const started = () =>
  existsSync(pids) ? readFileSync(pids, 'utf8').split('\n').filter(Boolean).map(Number) : [];
const noneIsAlive = () => !started().some(isAlive);

function run(script: string, options: Partial<RunCommandOptions> = {}) {
  const allow = { run: { file: shell, args: ['-c', script] } };
  return runCommand('run', [], { allow, env: { PIDS: pids }, ...options });
}

onLinux.each(Object.entries(escapes))(
  'on Linux, since only there processes can be found by their mark: a descendant %s',
  (name, escape) => {
    const expected = name === 'that starts others' ? 4 : 1;
    const untilStarted = `while [ "$(wc -l < "$PIDS" 2>/dev/null || echo 0)" -lt ${expected} ]; do sleep 0.01; done`;

    it('end with a program that ends by itself', async () => {
      const { exitCode, stdout } = await run(`${escape}\n${untilStarted}; echo done; exit 3`);
      expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: 'done\n' });
      expect(started()).toHaveLength(expected);
      await until(noneIsAlive);
    });

    it('end with an aborted call', async () => {
      const stop = new AbortController();
      const call = run(`${escape}\n${untilStarted}; sleep 1000`, { signal: stop.signal });
      await until(() => started().length === expected);
      stop.abort(new Error('cancelled'));
      await expect(call).rejects.toThrow('cancelled');
      await until(noneIsAlive);
    });

    it('end with a program that prints too much', async () => {
      const flood = run(`${escape}\n${untilStarted}; while :; do echo xxxxxxxxxxxxxxxx; done`, {
        maxOutputBytes: 1000,
      });
      await expect(flood).rejects.toMatchObject({ code: 'TW_SAFE_TOO_LARGE' });
      await until(noneIsAlive);
    });

    it('end with a program that runs too long', async () => {
      const call = run(`${escape}\n${untilStarted}; sleep 1000`, { timeout: 2_000 });
      await expect(call).rejects.toMatchObject({ code: 'TW_SAFE_TIMEOUT' });
      await until(noneIsAlive);
    });
  },
);

onLinux('on Linux, since only there processes can be found by their mark: two commands at a time', () => {
  it('of other commands are not touched', async () => {
    const stop = new AbortController();
    const long = run(`setsid sh -c '${lasting}' & wait`, { signal: stop.signal });
    await until(() => started().length === 1);
    await run('true');
    expect(started().filter(isAlive)).toHaveLength(1);
    stop.abort();
    await expect(long).rejects.toThrow();
    await until(noneIsAlive);
  });
});

/** A process that has ended but whose parent has not yet noticed is not alive. */
function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
