import { spawnSync } from 'node:child_process';
import { appendFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openAuditSink, verifyAudit } from '../src/index.js';
import { runAndKill } from './run-and-kill.js';
import { ManualClock } from '@toolwright/testing';
import { silentLogger } from '@toolwright/core/ports';
import { sampleEvent } from './sample-event.js';
import { readIds, readRecords, temporaryLog } from './temporary-log.js';

const log = temporaryLog();

describe('a server that is killed with SIGKILL under load, five times', () => {
  it('every acknowledged record is in the log, and the log is valid before and after the restart', async () => {
    const acknowledged: string[] = [];
    for (const afterAcks of [1, 20, 150, 400, 50]) {
      acknowledged.push(...(await runAndKill(log.file, { writers: 16, afterAcks })));
      expect(await verifyAudit({ file: log.file })).toMatchObject({ ok: true, problems: [] });
    }
    const stored = new Set(await readIds(log.file));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    expect(stored.size).toBe((await readRecords(log.file)).length);

    const { writers } = await verifyAudit({ file: log.file });
    expect(writers.map(({ slot }) => slot)).toEqual([0]);
  });
});

describe('after a torn write', () => {
  const crash = async (tear: () => Promise<void>) => {
    const sink = await openAuditSink({ file: log.file });
    await sink.write(sampleEvent({ id: 'before' }), 'strict');
    await sink.close();
    await tear();
    const next = await openAuditSink({ file: log.file });
    await next.write(sampleEvent({ id: 'after' }), 'strict');
    await next.close();
    return (await readdir(log.directory)).filter((name) => name.includes('.torn-'));
  };

  it.each([
    ['half a line', '{"seq":2,"id":"torn'],
    ['lines without their seal', '{"seq":2,"id":"torn"}\n{"seq":3,"id":"torn"}\n'],
    ['zeros where the power went', '\0'.repeat(5000)],
  ])('%s is moved aside, and the chain continues', async (_what, torn) => {
    const kept = await crash(() => appendFile(log.file, torn));
    expect(await readIds(log.file)).toEqual(['before', 'after']);
    expect(await readFile(join(log.directory, kept[0]!), 'latin1')).toBe(torn);
    const report = await verifyAudit({ file: log.file });
    expect(report).toMatchObject({ ok: true, notes: [expect.stringContaining('set aside')] });
  });

  it('a complete batch without a head is accepted', async () => {
    // The sink is never closed, as after a crash. Its clock stands still, so that it does nothing more.
    const sink = await openAuditSink({ file: log.file, logger: silentLogger, clock: new ManualClock() });
    await sink.write(sampleEvent({ id: 'before' }), 'strict');
    const head = await readFile(join(log.directory, 'audit.head'));
    await sink.write(sampleEvent({ id: 'sealed' }), 'strict');
    await writeFile(join(log.directory, 'audit.head'), head);
    expect(await verifyAudit({ file: log.file })).toMatchObject({ ok: true, writers: [{ unvouched: 1 }] });

    const lock = join(log.directory, 'audit.lock');
    const content = JSON.parse(await readFile(lock, 'utf8'));
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    await writeFile(lock, JSON.stringify({ ...content, pid }));
    const next = await openAuditSink({ file: log.file });
    await next.close();
    expect(await readIds(log.file)).toEqual(['before', 'sealed']);
    expect(await verifyAudit({ file: log.file })).toMatchObject({ ok: true, writers: [{ unvouched: 0 }] });
  });

  it('an unfinished first batch leaves a log that starts again', async () => {
    const sink = await openAuditSink({ file: log.file });
    await sink.close();
    const [genesis] = (await readFile(join(log.directory, 'audit.head'), 'utf8')).split(/(?<=\n)/);
    expect(JSON.parse(genesis!).batch % 2).toBe(0);
    await truncate(log.file, 100);
    await truncate(join(log.directory, 'audit.head'), 0);
    const next = await openAuditSink({ file: log.file, logger: silentLogger });
    await next.write(sampleEvent({ id: 'after' }), 'strict');
    await next.close();
    expect(await readIds(log.file)).toEqual(['after']);
  });
});

describe('a real limit on the size of files', () => {
  it('refuses strict records with the system error, and the log is valid up to that point', async () => {
    // RLIMIT_FSIZE in blocks of 1 KiB. Without privileges, a test can not get closer to a full disk.
    const script = `ulimit -f 64; exec "$@"`;
    const register = join(__dirname, 'fixtures/register-source.cjs');
    const argv = [
      '-c',
      script,
      'sh',
      process.execPath,
      '-r',
      register,
      join(__dirname, 'fixtures/fill-disk.ts'),
      log.file,
    ];
    const { stdout } = spawnSync('sh', argv, { encoding: 'utf8' });
    const { acknowledged, refusal } = JSON.parse(stdout);
    expect(refusal).toMatch(/EFBIG/);
    expect((await readIds(log.file)).slice(0, acknowledged.length)).toEqual(acknowledged);
    expect(acknowledged.length).toBeGreaterThan(10);
    expect((await verifyAudit({ file: log.file })).ok).toBe(true);
  });
});
