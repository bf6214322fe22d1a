import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { verifyAudit } from '../src/index.js';
import { readIds } from './temporary-log.js';

const fixtures = join(__dirname, 'fixtures');
const place = mkdtempSync(join(tmpdir(), 'audit-rights-'));
const folder = join(place, 'log');
const file = join(folder, 'audit.jsonl');
const lines: { stored?: string; refused?: string; log?: string; reason?: string }[] = [];
let writer: ChildProcess;

beforeAll(async () => {
  mkdirSync(folder);
  chmodSync(place, 0o755);
  if (process.getuid!() === 0) chownSync(folder, Number(execFileSync('id', ['-u', 'nobody'])), 0);
  const program = ['-r', join(fixtures, 'register-source.cjs'), join(fixtures, 'write-on.ts'), file];
  writer = spawn(process.execPath, program, { stdio: ['pipe', 'pipe', 'inherit'] });
  createInterface(writer.stdout!).on('line', (line) => lines.push(JSON.parse(line)));
  while (lines.length === 0) await delay(10);
});
afterAll(() => {
  writer.kill('SIGKILL');
  chmodSync(folder, 0o700);
  rmSync(place, { recursive: true });
});

/** Writes a record, and resolves when it is known what became of it. */
async function write(mode: 'strict' | 'buffered', id: string): Promise<'stored' | 'refused'> {
  writer.stdin!.write(`${mode} ${id}\n`);
  for (;;) {
    if (lines.some(({ stored }) => stored === id)) return 'stored';
    if (lines.some(({ refused }) => refused === id)) return 'refused';
    await delay(5);
  }
}

const logged = async (start: string, of = folder) => {
  while (!lines.some(({ log, reason }) => log?.startsWith(start) && (reason ?? of).includes(of)))
    await delay(5);
  return lines.filter(({ log }) => log?.startsWith(start));
};

it('while the rights of the folder are gone, the log says why, keeps what it may, and goes on with it afterwards', async () => {
  expect(await write('strict', 'before')).toBe('stored');
  chmodSync(folder, 0);
  expect(await write('strict', 'refused')).toBe('refused');
  expect(await write('buffered', 'kept')).toBe('refused');
  expect(await logged('The audit log cannot be written')).toEqual([
    {
      log: 'The audit log cannot be written; strict calls are refused',
      reason: expect.stringContaining('EACCES'),
    },
  ]);
  chmodSync(folder, 0o700);
  await logged('The audit log can be written again');
  expect(await write('strict', 'after')).toBe('stored');

  // Files that are open can be written, but no file gets another name.
  chmodSync(folder, 0o500);
  const many = Array.from({ length: 20 }, (_, index) => `grown-${index}`);
  for (const id of many) expect(await write('buffered', id)).toBe('stored');
  expect(await logged('The audit log could not be rotated')).toHaveLength(1);
  chmodSync(folder, 0o700);
  expect(await write('buffered', 'last')).toBe('stored');

  writer.stdin!.end();
  await once(writer, 'exit');
  expect(await readIds(file)).toEqual(['before', 'kept', 'after', ...many, 'last']);
  expect(await verifyAudit({ file })).toMatchObject({ ok: true, problems: [] });
});
