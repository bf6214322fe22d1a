import { readFileSync } from 'node:fs';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolError } from '@toolwright/core';
import fc from 'fast-check';
import { until } from '../../../.ci/test/support/until.js';
import { runCommand, type AllowedCommand } from '../src/index.js';

const node = process.execPath;
/** Prints its arguments, environment and input as JSON. */
const program = `
  const input = process.argv.includes('input') ? require('node:fs').readFileSync(0, 'utf8') : undefined;
  console.log(JSON.stringify({ args: process.argv.slice(1), env: process.env, input }));
`;
const echo: AllowedCommand = { file: node, args: ['-e', program, '--'] };
const script = (code: string): AllowedCommand => ({ file: node, args: ['-e', code, '--'] });
const echoed = async (...args: string[]) => {
  const { stdout } = await runCommand('echo', args, { allow: { echo } });
  return JSON.parse(stdout);
};

it('runs an allowed program and returns its exit code and output', async () => {
  const allow = { fail: script('console.log("out"); console.error("err"); process.exit(3)') };
  expect(await runCommand('fail', [], { allow })).toEqual({ exitCode: 3, stdout: 'out\n', stderr: 'err\n' });
});

describe('arguments', () => {
  let canary: string;
  beforeEach(async () => (canary = join(await mkdtemp(join(tmpdir(), 'toolwright-safe-')), 'canary')));
  afterEach(() => rm(join(canary, '..'), { recursive: true }));

  it('arrive unchanged even if they would be commands in a shell', async () => {
    const attacks = [
      `; touch ${canary}`,
      `$(touch ${canary})`,
      `\`touch ${canary}\``,
      `| touch ${canary}`,
      `|| touch ${canary}`,
      `&& touch ${canary}`,
      `& touch ${canary}`,
      `\n touch ${canary}`,
      `> ${canary}`,
      `'; touch ${canary}; '`,
      `"; touch ${canary}; "`,
      `{touch,${canary}}`,
      `$IFS\${PATH}`,
      '*',
      '~',
      '%PATH%',
      '^&calc',
      '\\',
      '',
      ' ',
      '\r\n',
      '\u202e',
    ];
    expect((await echoed(...attacks)).args).toEqual(attacks);
    await expect(access(canary)).rejects.toThrow();
  });

  it('of any kind arrive unchanged', async () => {
    const text = fc
      .string({ unit: 'grapheme' })
      .filter((value) => !value.startsWith('-') && !value.includes('\0'));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 4 }), async (args) => {
        expect((await echoed(...args)).args).toEqual(args);
      }),
      { numRuns: 12 },
    );
  });

  it.each([
    '-c',
    '--upload-pack=touch x',
    '-oProxyCommand=touch x',
    '--exec=sh',
    '-',
    '--',
    '-\u0000',
    '--output=/etc/passwd',
  ])('%j is refused as an option that is not listed', async (argument) => {
    await expect(runCommand('echo', [argument], { allow: { echo } })).rejects.toMatchObject({
      code: 'TW_SAFE_COMMAND',
    });
  });

  it('may be options that are listed', async () => {
    const allow = { echo: { ...echo, options: ['-n', '--author='] } };
    const run = (argument: string) => runCommand('echo', [argument], { allow });
    expect((await run('-n')).exitCode).toBe(0);
    expect((await run('--author=ann')).exitCode).toBe(0);
    await expect(run('-nx')).rejects.toThrow('The option "-nx" is not allowed. Allowed: -n, --author=.');
    await expect(run('--author')).rejects.toBeInstanceOf(ToolError);
  });

  it('with a NUL character are refused', async () => {
    await expect(runCommand('echo', ['a\0b'], { allow: { echo } })).rejects.toMatchObject({
      code: 'TW_SAFE_COMMAND',
    });
  });
});

describe('commands', () => {
  it.each(['sh', '/bin/sh', 'echo; sh', 'ECHO', '../echo', 'toString', '__proto__', 'constructor', ''])(
    '%j is refused if it is not listed',
    async (name) => {
      await expect(runCommand(name, [], { allow: { echo } })).rejects.toMatchObject({
        code: 'TW_SAFE_COMMAND',
        message: expect.stringContaining('Allowed: echo.'),
      });
    },
  );

  it.each(['node', './node', 'C:tool.exe'])(
    '%j is an error of the author: it is not an absolute path',
    async (file) => {
      await expect(runCommand('x', [], { allow: { x: file } })).rejects.toThrow(TypeError);
    },
  );

  it('that are batch files are an error of the author', async () => {
    await expect(runCommand('x', [], { allow: { x: '/tools/x.CMD' } })).rejects.toThrow('batch file');
  });

  it('that do not exist cannot be started', async () => {
    const run = runCommand('x', [], { allow: { x: '/nowhere/x' } });
    await expect(run).rejects.toMatchObject({
      code: 'TW_SAFE_COMMAND',
      message: 'The command could not be started.',
    });
  });
});

describe('the environment', () => {
  it("contains nothing from the process's own environment", async () => {
    process.env['SECRET_TOKEN'] = 'canary';
    const { stdout } = await runCommand('echo', [], { allow: { echo }, env: { GIVEN: 'yes' } });
    delete process.env['SECRET_TOKEN'];
    expect(stdout).not.toContain('canary');
    const { env } = JSON.parse(stdout);
    expect(Object.keys(env).filter((name) => !name.startsWith('__'))).toEqual(
      expect.arrayContaining(['GIVEN', 'LANG', 'PATH']),
    );
    expect(env).not.toHaveProperty('HOME');
  });

  it('the program gets the given input', async () => {
    const { stdout } = await runCommand('echo', ['input'], { allow: { echo }, input: 'text' });
    expect(JSON.parse(stdout).input).toBe('text');
  });

  it('a program may ignore its input', async () => {
    const input = 'x'.repeat(1_000_000);
    expect((await runCommand('exit', [], { allow: { exit: script('') }, input })).exitCode).toBe(0);
  });
});

describe('limits', () => {
  const directory = () => mkdtemp(join(tmpdir(), 'toolwright-safe-'));

  it.each(['stdout', 'stderr'])('output of %s is limited, and the program ends', async (stream) => {
    const allow = { flood: script(`setInterval(() => process.${stream}.write('x'.repeat(10000)), 1)`) };
    const run = runCommand('flood', [], { allow, maxOutputBytes: 50_000 });
    await expect(run).rejects.toMatchObject({ code: 'TW_SAFE_TOO_LARGE' });
  });

  it('the time is also limited for processes that the program started', async () => {
    const place = await directory();
    const pids = join(place, 'pids');
    const code = `
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      require('node:fs').writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + child.pid);
      setInterval(() => {}, 1000);
    `;
    await writeFile(pids, '');
    const ended = new AbortController();
    const run = runCommand('hang', [], {
      allow: { hang: script(code) },
      signal: ended.signal,
      timeout: 240_000,
    });
    await until(() => readFileSync(pids, 'utf8').includes(' '));
    ended.abort(new Error('cancelled'));
    await expect(run).rejects.toThrow('cancelled');
    const alive = () => readFileSync(pids, 'utf8').split(' ').map(Number).filter(isAlive);
    while (alive().length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await rm(place, { recursive: true });
  });

  it('a program that hangs ends at the time limit', async () => {
    const allow = { hang: script('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)') };
    await expect(runCommand('hang', [], { allow, timeout: 50 })).rejects.toMatchObject({
      code: 'TW_SAFE_TIMEOUT',
    });
  });

  it.each([Infinity, '30d'] as const)('a program may run for %s', async (timeout) => {
    const allow = { quick: script('setTimeout(() => console.log("done"), 20)') };
    expect(await runCommand('quick', [], { allow, timeout })).toMatchObject({ stdout: 'done\n' });
  });

  it('nothing starts if the call has already ended', async () => {
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(runCommand('echo', [], { allow: { echo }, signal })).rejects.toThrow('cancelled');
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
