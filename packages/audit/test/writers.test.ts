import { readdir } from 'node:fs/promises';
import { openAuditSink, queryAudit, tailAudit, verifyAudit } from '../src/index.js';
import { runAndKill } from './run-and-kill.js';
import { sampleEvent } from './sample-event.js';
import { readIds, temporaryLog } from './temporary-log.js';

const log = temporaryLog();

describe('two writers of one log', () => {
  it('have a file and a chain each, and are read together in the order of time', async () => {
    const [first, second] = [
      await openAuditSink({ file: log.file }),
      await openAuditSink({ file: log.file }),
    ];
    await first.write(sampleEvent({ id: 'one', time: 1 }), 'strict');
    await second.write(sampleEvent({ id: 'two', time: 2 }), 'strict');
    await first.write(sampleEvent({ id: 'three', time: 3 }), 'strict');
    expect(await readIds(log.file)).toEqual(['one', 'two', 'three']);
    await Promise.all([first.close(), second.close()]);

    expect(await readdir(log.directory)).toEqual(expect.arrayContaining(['audit.jsonl', 'audit.w1.jsonl']));
    const { ok, writers } = await verifyAudit({ file: log.file });
    expect({ ok, records: writers.map(({ records }) => records) }).toEqual({ ok: true, records: [2, 1] });
  });

  it('continue the chains of earlier processes', async () => {
    for (let round = 0; round < 2; round += 1) {
      const sinks = [await openAuditSink({ file: log.file }), await openAuditSink({ file: log.file })];
      await Promise.all(sinks.map(async (sink) => sink.write(sampleEvent(), 'strict')));
      await Promise.all(sinks.map((sink) => sink.close()));
    }
    const { ok, writers } = await verifyAudit({ file: log.file });
    expect({ ok, records: writers.map(({ records }) => records) }).toEqual({ ok: true, records: [2, 2] });
  });

  it('never disturb each other when many open at the same time', async () => {
    const sinks = await Promise.all(Array.from({ length: 8 }, () => openAuditSink({ file: log.file })));
    await Promise.all(sinks.map(async (sink) => sink.write(sampleEvent(), 'strict')));
    await Promise.all(sinks.map((sink) => sink.close()));
    const { ok, writers, records } = await verifyAudit({ file: log.file });
    expect({ ok, records, slots: writers.map(({ slot }) => slot) }).toEqual({
      ok: true,
      records: 8,
      slots: [0, 1, 2, 3, 4, 5, 6, 7],
    });
  });

  it('take over from a process that was killed, but only one of them', async () => {
    await runAndKill(log.file, { writers: 1, afterAcks: 1 });
    const sinks = await Promise.all(Array.from({ length: 3 }, () => openAuditSink({ file: log.file })));
    await Promise.all(sinks.map((sink) => sink.close()));
    const { ok, writers } = await verifyAudit({ file: log.file });
    expect(ok).toBe(true);
    expect(writers).toHaveLength(3);
  });
});

describe('tail', () => {
  it('begins with the last records and continues with new ones, also after a rotation and from new writers', async () => {
    const sink = await openAuditSink({ file: log.file, rotate: { maxBytes: 1_000 } });
    const stop = new AbortController();
    for (const id of ['a', 'b', 'c']) await sink.write(sampleEvent({ id }), 'strict');
    await sink.flush();
    await sink.write(sampleEvent({ id: 'd' }), 'strict');

    const seen: string[] = [];
    for await (const { id } of tailAudit({ file: log.file, last: 1, pollInterval: 5, signal: stop.signal })) {
      seen.push(id);
      if (id === 'd') await sink.write(sampleEvent({ id: 'e' }), 'strict');
      if (id === 'e') {
        const other = await openAuditSink({ file: log.file });
        await other.write(sampleEvent({ id: 'f' }), 'strict');
        await other.close();
      }
      if (id === 'f') stop.abort();
    }
    expect(seen).toEqual(['d', 'e', 'f']);
    await sink.close();
  });
});

describe('query', () => {
  it('returns the records that match all fields', async () => {
    const sink = await openAuditSink({ file: log.file });
    await sink.write(sampleEvent({ id: '1', name: 'a', time: 1 }), 'strict');
    await sink.write(sampleEvent({ id: '2', name: 'a', time: 2, event: 'denied', reason: 'TW_X' }), 'strict');
    await sink.write(
      sampleEvent({ id: '3', name: 'b', time: 3, principal: null, parent: 'call-0', program: 'c0de' }),
      'strict',
    );
    await sink.close();
    const ids = async (filter: Parameters<typeof queryAudit>[0]['filter']) => {
      const found: string[] = [];
      for await (const { id } of queryAudit({ file: log.file, filter })) found.push(id);
      return found;
    };
    expect(await ids({ name: 'a' })).toEqual(['1', '2']);
    expect(await ids({ name: 'a', event: 'denied' })).toEqual(['2']);
    expect(await ids({ since: 2, until: 3 })).toEqual(['2']);
    expect(await ids({ subject: 'user-1' })).toEqual(['1', '2']);
    expect(await ids({ callId: 'none' })).toEqual([]);
    expect(await ids({ parent: 'call-0' })).toEqual(['3']);
    expect(await ids({ program: 'c0de' })).toEqual(['3']);
  });
});
