import { readdir, readFile } from 'node:fs/promises';
import {
  openAuditSink,
  verifyAudit,
  type AuditRecord,
  type AuditSinkOptions,
  type RecordSink,
} from '../src/index.js';
import { ManualClock } from '@toolwright/testing';
import { recordingLogger } from './recording-logger.js';
import { sampleEvent } from './sample-event.js';
import { readIds, temporaryLog } from './temporary-log.js';

const log = temporaryLog();

const writeEach = async (ids: readonly string[], options: Partial<AuditSinkOptions>) => {
  const sink = await openAuditSink({ file: log.file, ...options });
  for (const id of ids) {
    await sink.write(sampleEvent({ id }), 'strict');
    await sink.flush();
  }
  await sink.close();
};
const files = async () => (await readdir(log.directory)).filter((name) => name.endsWith('.jsonl')).sort();

describe('rotation', () => {
  it('starts a new file by size, and the chain continues through all files', async () => {
    await writeEach(['a', 'b', 'c'], { rotate: { maxBytes: 1 } });
    expect((await files()).length).toBeGreaterThan(3);
    expect(await readIds(log.file)).toEqual(['a', 'b', 'c']);
    expect(await verifyAudit({ file: log.file })).toMatchObject({ ok: true, problems: [], records: 3 });
  });

  it('starts a new file by age', async () => {
    const clock = new ManualClock();
    const sink = await openAuditSink({ file: log.file, clock, rotate: { maxAge: 1_000 } });
    await sink.write(sampleEvent({ id: 'a' }), 'strict');
    clock.advance(1_000);
    await sink.write(sampleEvent({ id: 'b' }), 'strict');
    await sink.flush();
    await sink.write(sampleEvent({ id: 'c' }), 'strict');
    await sink.close();
    expect(await files()).toEqual(['audit.000001.jsonl', 'audit.jsonl']);
    expect((await verifyAudit({ file: log.file })).ok).toBe(true);
  });
});

describe('retention', () => {
  it('deletes nothing by default', async () => {
    await writeEach(['a', 'b', 'c', 'd'], { rotate: { maxBytes: 1 } });
    expect(await readIds(log.file)).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each([{ files: 1 }, { maxBytes: 2_000 }])('keeps at most %o, and the rest is valid', async (retain) => {
    await writeEach(['a', 'b', 'c', 'd', 'e'], { rotate: { maxBytes: 1 }, retain });
    const ids = await readIds(log.file);
    expect(ids).not.toContain('a');
    expect(ids).toContain('e');
    expect(await verifyAudit({ file: log.file })).toMatchObject({ ok: true, problems: [] });
  });

  it('keeps what a sink has not received yet', async () => {
    const broken: RecordSink = { name: 'broken', ship: () => Promise.reject(new Error('down')) };
    const options = { rotate: { maxBytes: 1 }, retain: { files: 1 }, logger: recordingLogger() };
    await writeEach(['a', 'b', 'c', 'd'], { ...options, sinks: [broken] });
    expect(await readIds(log.file)).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('checkpoints', () => {
  it('are signed every 1,000 records', async () => {
    const sink = await openAuditSink({ file: log.file });
    for (let count = 0; count < 3_000; count += 1) void sink.write(sampleEvent(), 'buffered');
    await sink.close();
    const { writers } = await verifyAudit({ file: log.file });
    expect(writers[0]!.checkpoints).toBeGreaterThanOrEqual(3);
  });

  it('are signed after 60 seconds, even for few records', async () => {
    const clock = new ManualClock();
    const sink = await openAuditSink({ file: log.file, clock });
    await sink.write(sampleEvent(), 'strict');
    await sink.flush();
    clock.advance(60_000);
    await sink.flush();
    expect(await readFile(log.file, 'utf8')).toContain('{"checkpoint":');
    await sink.close();
    expect((await verifyAudit({ file: log.file })).ok).toBe(true);
  });
});

describe('shipping', () => {
  class FlakySink implements RecordSink {
    readonly name = 'flaky';
    readonly seen: string[] = [];
    failing = false;

    async ship(records: readonly AuditRecord[]): Promise<void> {
      this.seen.push(...records.map(({ id }) => id));
      if (this.failing) throw new Error('the answer was lost');
    }
  }

  it('sends all records in order, across restarts and rotation', async () => {
    const sink = new FlakySink();
    await writeEach(['a', 'b'], { sinks: [sink], rotate: { maxBytes: 1 } });
    await writeEach(['c'], { sinks: [sink], rotate: { maxBytes: 1 } });
    expect(sink.seen).toEqual(['a', 'b', 'c']);
  });

  it('sends again what was not acknowledged, so that the sink gets each record at least once', async () => {
    const sink = new FlakySink();
    const clock = new ManualClock();
    const logger = recordingLogger();
    sink.failing = true;
    await writeEach(['a', 'b'], { sinks: [sink], clock, logger });
    sink.failing = false;
    await writeEach(['c'], { sinks: [sink], clock, logger });
    expect(sink.seen.slice(-3)).toEqual(['a', 'b', 'c']);
    expect(logger.lines).toContainEqual(expect.stringContaining('the answer was lost'));
  });

  it('the log works while a sink is down', async () => {
    const sink = new FlakySink();
    sink.failing = true;
    await writeEach(['a'], { sinks: [sink], logger: recordingLogger() });
    expect(await readIds(log.file)).toEqual(['a']);
  });
});
