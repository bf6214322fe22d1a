import { openAuditSinkOn } from '../src/open-audit-sink.js';
import { verifyAudit } from '../src/index.js';
import { ManualClock } from '@toolwright/testing';
import { recordingLogger } from './recording-logger.js';
import { sampleEvent } from './sample-event.js';
import { readIds, readRecords, temporaryLog } from './temporary-log.js';
import { systemError, UnreliableStorage } from './unreliable-storage.js';

const log = temporaryLog();
const full = systemError('ENOSPC', 'no space left on device, write');

const open = async (options: { maxQueued?: number; strictTimeout?: number } = {}) => {
  const storage = new UnreliableStorage();
  const clock = new ManualClock();
  const logger = recordingLogger();
  const sink = await openAuditSinkOn(storage, { file: log.file, clock, logger, ...options });
  return { storage, clock, logger, sink };
};

const unavailable = { code: 'TW_AUDIT_UNAVAILABLE' };

describe('a disk that is full', () => {
  it('refuses strict records, and never stores them later, because their calls did not run', async () => {
    const { storage, clock, logger, sink } = await open();
    storage.failures.set('append', full);
    storage.partialBytes = 100;
    await expect(
      sink.write(sampleEvent({ id: 'refused-1', event: 'intent' }), 'strict'),
    ).rejects.toMatchObject(unavailable);
    await expect(
      sink.write(sampleEvent({ id: 'refused-2', event: 'intent' }), 'strict'),
    ).rejects.toMatchObject(unavailable);
    expect(logger.lines).toEqual([expect.stringContaining('ENOSPC')]);

    storage.failures.clear();
    clock.advance(100);
    await sink.flush();
    await sink.write(sampleEvent({ id: 'accepted', event: 'intent' }), 'strict');
    await sink.close();
    expect(await readIds(log.file)).toEqual(['accepted']);
    expect(await verifyAudit({ file: log.file })).toMatchObject({ ok: true, problems: [] });
  });

  it('leaves no gap if a strict record between others was refused', async () => {
    const { storage, clock, sink } = await open();
    storage.failures.set('append', full);
    const intent = (id: string) => sink.write(sampleEvent({ id, event: 'intent' }), 'strict');
    for (let index = 0; index < 12; index++)
      void sink.write(sampleEvent({ id: `buffered-${index}` }), 'buffered');
    const refused = [intent('refused-1'), intent('refused-2')];
    void sink.write(sampleEvent({ id: 'behind' }), 'buffered');
    for (const each of refused) await expect(each).rejects.toMatchObject(unavailable);

    storage.failures.clear();
    clock.advance(100);
    await sink.flush();
    await intent('accepted');
    await sink.close();
    const ids = [...Array.from({ length: 12 }, (_, index) => `buffered-${index}`), 'behind', 'accepted'];
    expect((await readRecords(log.file)).map(({ seq, id }) => [seq, id])).toEqual(
      ids.map((id, index) => [index + 1, id]),
    );
    expect(await verifyAudit({ file: log.file })).toMatchObject({ ok: true, records: 14, problems: [] });
  });

  it('keeps buffered records and outcomes in order until there is room again', async () => {
    const { storage, clock, sink } = await open();
    storage.failures.set('sync', full);
    void sink.write(sampleEvent({ id: 'buffered-1' }), 'buffered');
    await expect(sink.flush()).rejects.toMatchObject(unavailable);
    await expect(
      sink.write(sampleEvent({ id: 'outcome', event: 'outcome' }), 'strict'),
    ).rejects.toMatchObject(unavailable);
    void sink.write(sampleEvent({ id: 'buffered-2' }), 'buffered');
    clock.advance(5_000);
    await expect(sink.flush()).rejects.toMatchObject(unavailable);

    storage.failures.clear();
    clock.advance(5_000);
    await sink.flush();
    await sink.close();
    expect(await readIds(log.file)).toEqual(['buffered-1', 'outcome', 'buffered-2']);
    expect(await verifyAudit({ file: log.file })).toMatchObject({ ok: true, problems: [] });
  });

  it('accepts strict records again by itself, without a buffered record as a test', async () => {
    const { storage, clock, logger, sink } = await open();
    storage.failures.set('append', full);
    await expect(sink.write(sampleEvent({ event: 'intent' }), 'strict')).rejects.toMatchObject(unavailable);
    storage.failures.clear();
    clock.advance(100);
    await sink.flush();
    expect(logger.lines.at(-1)).toContain('can be written again');
    await sink.write(sampleEvent({ id: 'accepted', event: 'intent' }), 'strict');
    await sink.close();
    expect(await readIds(log.file)).toEqual(['accepted']);
  });

  it('says that it is down until it works, and how many records wait', async () => {
    const { storage, clock, sink } = await open();
    expect(sink.health!()).toEqual({ up: true, since: clock.now(), queued: 0 });
    clock.advance(50);
    storage.failures.set('append', full);
    void sink.write(sampleEvent(), 'buffered');
    await expect(sink.write(sampleEvent({ event: 'intent' }), 'strict')).rejects.toMatchObject(unavailable);
    expect(sink.health!()).toEqual({ up: false, since: clock.now(), queued: 1 });
    storage.failures.clear();
    clock.advance(100);
    await sink.flush();
    expect(sink.health!()).toEqual({ up: true, since: clock.now(), queued: 0 });
    await sink.close();
  });

  it('reports at close how many records it could not store', async () => {
    const { storage, sink } = await open();
    storage.failures.set('append', full);
    for (let count = 0; count < 3; count += 1) void sink.write(sampleEvent(), 'buffered');
    await expect(sink.close()).rejects.toThrow(
      '3 records are not stored: The audit log cannot be written: ENOSPC',
    );
  });
});

describe('a disk that is slow', () => {
  it('makes callers wait when the queue is full, and lets them continue when there is room', async () => {
    const { storage, sink } = await open({ maxQueued: 3 });
    const release = storage.stall();
    const writes = Array.from({ length: 5 }, (_, index) =>
      sink.write(sampleEvent({ id: `r-${index}` }), 'buffered'),
    );
    expect(writes.map((write) => write instanceof Promise)).toEqual([false, false, false, true, true]);
    const flushed = sink.flush();
    release();
    for (const write of writes) await write;
    await flushed;
    expect(await readIds(log.file)).toEqual(['r-0', 'r-1', 'r-2', 'r-3', 'r-4']);
    await sink.close();
  });

  it('refuses a strict record that takes too long', async () => {
    const { storage, clock, logger, sink } = await open({ strictTimeout: 1_000 });
    const release = storage.stall();
    const write = sink.write(sampleEvent({ event: 'intent' }), 'strict');
    clock.advance(1_000);
    await expect(write).rejects.toMatchObject({ code: 'TW_AUDIT_TIMEOUT' });
    const another = sink.write(sampleEvent({ event: 'intent' }), 'strict');
    clock.advance(1_000);
    await expect(another).rejects.toMatchObject({ code: 'TW_AUDIT_TIMEOUT' });
    expect(sink.health!().up).toBe(false);
    expect(logger.lines).toEqual([expect.stringContaining('does not store in time')]);
    release();
    await sink.flush();
    expect(sink.health!().up).toBe(true);
    await sink.close();
  });

  it('puts everything that arrived during a commit into the next one', async () => {
    const { storage, sink } = await open();
    const release = storage.stall();
    const before = storage.appends;
    const first = sink.write(sampleEvent(), 'strict');
    await new Promise(setImmediate);
    const others = Array.from({ length: 50 }, () => sink.write(sampleEvent(), 'strict'));
    release();
    await Promise.all([first, ...others]);
    expect(storage.appends - before).toBe(2);
    await sink.close();
  });
});

describe('a head that cannot be written', () => {
  it('is reported to the operator, and the next commit writes it', async () => {
    const { storage, logger, sink } = await open();
    storage.failures.set('writeAt', systemError('EIO', 'i/o error'));
    await sink.write(sampleEvent({ id: 'stored' }), 'strict');
    expect(logger.lines).toEqual([expect.stringContaining('head')]);
    storage.failures.clear();
    await sink.close();
    expect(await readIds(log.file)).toEqual(['stored']);
  });
});

describe('a log that cannot be opened', () => {
  it('is an error that names the file and the reason', async () => {
    const storage = new UnreliableStorage();
    storage.failures.set('open', systemError('EACCES', 'permission denied, open'));
    const opening = openAuditSinkOn(storage, { file: log.file });
    await expect(opening).rejects.toMatchObject({ code: 'TW_AUDIT_UNAVAILABLE' });
    await expect(opening).rejects.toThrow(`${log.file} cannot be opened: EACCES`);
  });

  it('does not keep a later attempt from using its place', async () => {
    const storage = new UnreliableStorage();
    storage.failures.set('open', systemError('EACCES', 'permission denied, open'));
    await expect(openAuditSinkOn(storage, { file: log.file })).rejects.toThrow();
    const { sink } = await open();
    await sink.write(sampleEvent({ id: 'one' }), 'strict');
    await sink.close();
    expect(await readIds(log.file)).toEqual(['one']);
    expect((await verifyAudit({ file: log.file })).writers).toHaveLength(1);
  });
});
