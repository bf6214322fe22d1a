import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type RefereeClient, referees } from '../../../pages/test/referees.js';
import { refusalOf } from '../../test/answers.js';
import { ServedTopic } from '../../test/served-topic.js';
import { dataFolder } from '../data-folder.js';
import { COMMAND_LIMITS, type CommandLimits, defaultLimits } from './command-limits.js';
import { CommandTools } from './command-tools.js';

describe.each(referees)('execute_command, called by $name', (referee) => {
  const folder = mkdtempSync(join(tmpdir(), 'gallery-commands-'));
  const opened: ServedTopic[] = [];
  let client: RefereeClient;

  const serve = async (limits: Partial<CommandLimits> = {}): Promise<ServedTopic> => {
    const useValue = { ...defaultLimits, ...limits };
    const providers = [dataFolder(folder), { provide: COMMAND_LIMITS, useValue }];
    const topic = await ServedTopic.serve({ services: [CommandTools], providers });
    opened.push(topic);
    return topic;
  };

  beforeAll(async () => {
    writeFileSync(join(folder, 'poem.txt'), 'one two\nthree\n');
    writeFileSync(join(folder, '$(touch pwned); echo.txt'), 'x\n');
    mkdirSync(join(folder, 'many'));
    for (let file = 0; file < 200; file += 1) writeFileSync(join(folder, 'many', `file-${file}`), '');
    symlinkSync('/etc/passwd', join(folder, 'link'));
    execFileSync('mkfifo', [join(folder, 'silent')]);
    client = await (await serve()).connect(referee);
  });

  afterAll(async () => {
    await Promise.all(opened.map((topic) => topic.close()));
    rmSync(folder, { recursive: true });
  });

  const run = async (command: string, ...args: string[]) =>
    (await client.callTool('execute_command', { command, args })).structuredContent;

  it('runs a command on a file', async () => {
    expect(await run('wc', '-l', '-w', 'poem.txt')).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^\s*2\s+3 \.\/poem\.txt\n$/),
      stderr: '',
    });
  });

  it('runs a command without arguments', async () => {
    const { structuredContent } = await client.callTool('execute_command', { command: 'uname' });

    expect(structuredContent).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/\w\n$/) });
  });

  it('tells how a command failed', async () => {
    expect(await run('wc', 'missing.txt')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('./missing.txt'),
    });
  });

  it('takes what a shell would run for a name', async () => {
    expect(await run('wc', '-c', '$(touch pwned); echo.txt')).toMatchObject({ exitCode: 0 });
    expect(await run('wc', '-c', '*.txt')).toMatchObject({ exitCode: 1 });
    expect(await run('ls', '-1')).toMatchObject({ stdout: expect.not.stringMatching(/^pwned$/m) });
  });

  it.each([
    [{ command: 'rm', args: ['poem.txt'] }, /"ls".*"uname".*"wc"/],
    [{ command: 'constructor' }, /"ls"/],
    [{ command: '/bin/ls' }, /"ls"/],
    [{ command: 'wc -l' }, /"wc"/],
    [{ args: ['-l'] }, /command/],
    [{ command: 'wc', args: 'poem.txt' }, /args.*array/is],
    [{ command: 'wc', args: ['--files0-from=/etc/passwd'] }, /not allowed. Allowed: -l, -w, -c/],
    [{ command: 'wc', args: ['../gallery-commands'] }, /Give one without "\.\."/],
    [{ command: 'wc', args: ['/etc/passwd'] }, /Give one relative to the folder/],
    [{ command: 'wc', args: ['link'] }, /leads out of the folder.*list_csv_files/],
    [{ command: 'wc', args: ['poem.txt\0'] }, /NUL/],
    [{ command: 'uname', args: ['poem.txt'] }, /takes no files. Send options alone/],
    [{ command: 'ls', args: Array<string>(21).fill('-l') }, /args/],
  ])('says what to send instead of %j', async (args, hint) => {
    expect(refusalOf(await client.callTool('execute_command', args))).toMatch(hint);
  });

  it('ends a command that takes too long', async () => {
    const patient = await (await serve({ timeout: 200 })).connect(referee);
    const result = await patient.callTool('execute_command', { command: 'wc', args: ['silent'] });

    expect(refusalOf(result)).toContain('longer than 200 ms');
  });

  it('ends a command that prints too much', async () => {
    const brief = await (await serve({ maxOutputBytes: 500 })).connect(referee);
    const result = await brief.callTool('execute_command', { command: 'ls', args: ['many'] });

    expect(refusalOf(result)).toContain('more than 500 bytes');
  });

  it('ends a command when the caller gives up', async () => {
    const topic = await serve({ timeout: 600_000 });
    const leaving = await topic.connect(referee);
    const cancelling = new AbortController();
    const call = leaving.callTool(
      'execute_command',
      { command: 'wc', args: ['silent'] },
      { signal: cancelling.signal },
    );
    const otherEnd = await openWhenRead(join(folder, 'silent'));
    cancelling.abort();

    await expect(call).rejects.toThrow();
    expect(await topic.server.drain(20_000)).toBe(true);
    closeSync(otherEnd);
  });
});

/** Opens a FIFO to write; that fails as long as no command reads it. */
async function openWhenRead(path: string): Promise<number> {
  for (;;) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
      await setImmediate();
    }
  }
}
