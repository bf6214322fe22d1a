import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditEvent } from '@toolwright/core/ports';
import { digestSubject, digestValue, openAuditSink, queryAudit } from '../src/index.js';
import { sampleEvent } from './sample-event.js';
import { readRecords, temporaryLog } from './temporary-log.js';

const log = temporaryLog();
const key = 'k'.repeat(32);

describe('a stored record', () => {
  it('contains everything in the event; values appear only as digests or if they are loggable', async () => {
    const sink = await openAuditSink({ file: log.file, key });
    const event = sampleEvent({
      arguments: { pageId: 'secret-argument', reason: 'typo' },
      loggable: { reason: 'typo' },
      result: '{"text":"secret-result"}',
      durationMs: 3.5,
      traceId: '0af7651916cd43dd8448eb211c80319c',
      ip: '192.0.2.1',
      parent: 'call-0',
      program: 'c0de',
      reference: 'ref-1',
      reason: 'TW_TOOL_ERROR',
    });
    await sink.write(event, 'strict');
    await sink.close();

    const { arguments: _arguments, client, result: _result, ...plain } = event;
    const [record] = await readRecords(log.file);
    expect(record).toEqual({
      ...plain,
      seq: 1,
      writer: expect.stringMatching(/^[0-9a-f-]{36}$/),
      untrustedClient: client,
      arguments: { hmac: digestValue(key, event.arguments) },
      result: { hmac: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: 24 },
    });
    expect(await readFile(log.file, 'utf8')).not.toMatch(/secret-argument|secret-result/);
  });

  it('has what its own caller said, and nothing of the records before', async () => {
    const sink = await openAuditSink({ file: log.file, key });
    const clients = [
      { name: 'a', version: '1' },
      { name: 'a', version: '2' },
      { name: 'a' },
      null,
      {},
      { version: '2' },
    ];
    const events = [...clients, ...clients.toReversed()].map((client, index) =>
      sampleEvent({
        client,
        revision: `2026-07-${10 + (index % 3)}`,
        ...(index % 4 > 0 && { ip: `192.0.2.${index % 4}` }),
        outcome: index % 2 ? 'ok' : 'error',
      }),
    );
    for (const event of events) await sink.write(event, 'buffered');
    await sink.close();

    const told = ({ revision, ip, outcome }: Pick<AuditEvent, 'revision' | 'ip' | 'outcome'>) => ({
      revision,
      ip,
      outcome,
    });
    expect(
      (await readRecords(log.file)).map((each) => ({ ...told(each), client: each.untrustedClient })),
    ).toEqual(events.map((event) => ({ ...told(event), client: event.client })));
  });

  it('has the chosen claims of the caller, which core reads from the sink', async () => {
    const sink = await openAuditSink({ file: log.file, key, claims: ['tenant'] });
    expect(sink.claims).toEqual(['tenant']);
    const principal = { subject: 'ann', claims: { tenant: 'acme' } };
    await sink.write(sampleEvent({ principal }), 'strict');
    await sink.close();
    expect((await readRecords(log.file))[0]).toMatchObject({ principal });
    await expect(openAuditSink({ file: log.file, claims: 'tenant' as never })).rejects.toThrow(/claims/);
  });

  it('names nobody with subjects: digest, and is found by the digest of a person', async () => {
    const sink = await openAuditSink({ file: log.file, key, subjects: 'digest' });
    const ann = { issuer: 'https://login.example.com', subject: 'ann-of-the-test' };
    const bob = { subject: 'bob-of-the-test', tenant: 'acme' };
    await sink.write(sampleEvent({ principal: ann, approver: bob }), 'strict');
    await sink.write(sampleEvent({ principal: null }), 'strict');
    await sink.write(sampleEvent({ principal: { ...ann, issuer: 'https://other.example.com' } }), 'strict');
    await sink.close();
    const [record, anonymous] = await readRecords(log.file);
    const { issuer } = ann;
    expect(record).toMatchObject({
      principal: { issuer, subject: digestSubject(key, ann) },
      approver: { subject: digestSubject(key, bob), tenant: 'acme' },
    });
    expect(anonymous!.principal).toBeNull();
    const files = await readdir(log.directory);
    const texts = await Promise.all(files.map((file) => readFile(join(log.directory, file), 'utf8')));
    expect(texts.join()).not.toMatch(/of-the-test/);
    const found = [];
    const filter = { subject: digestSubject(key, ann) };
    for await (const each of queryAudit({ file: log.file, filter })) found.push(each.seq);
    expect(found).toEqual([1]);
  });

  it('contains the values at the time of the write, even if the tool changes them in the same turn', async () => {
    const sink = await openAuditSink({ file: log.file, key });
    const [ids, rows] = [['p-1'], ['row 1']];
    void sink.write(sampleEvent({ arguments: { ids }, result: { rows }, loggable: { ids } }), 'buffered');
    ids.push('p-2');
    rows.push('row 2');
    await sink.close();

    const [record] = await readRecords(log.file);
    expect(record).toMatchObject({
      arguments: { hmac: digestValue(key, { ids: ['p-1'] }) },
      result: { hmac: digestValue(key, { rows: ['row 1'] }) },
      loggable: { ids: ['p-1'] },
    });
  });

  it('comes after those written before it in the same turn, buffered or strict', async () => {
    const sink = await openAuditSink({ file: log.file, key });
    void sink.write(sampleEvent({ id: 'buffered' }), 'buffered');
    const strict = sink.write(sampleEvent({ id: 'strict' }), 'strict');
    void sink.write(sampleEvent({ id: 'flushed' }), 'buffered');
    await Promise.all([strict, sink.flush()]);
    const ids = async () => (await readRecords(log.file)).map(({ id }) => id);
    expect(await ids()).toEqual(['buffered', 'strict', 'flushed']);
    void sink.write(sampleEvent({ id: 'closed' }), 'buffered');
    await sink.close();
    expect(await ids()).toEqual(['buffered', 'strict', 'flushed', 'closed']);
  });

  it('makes its caller wait when too many wait already, in the same turn, too', async () => {
    const sink = await openAuditSink({ file: log.file, key, maxQueued: 2 });
    const writes = [1, 2, 3].map((each) => sink.write(sampleEvent({ id: `id-${each}` }), 'buffered'));
    expect(writes.map((write) => write instanceof Promise)).toEqual([false, false, true]);
    await Promise.all([...writes, sink.close()]);
    expect(await readRecords(log.file)).toHaveLength(3);
  });

  it('has the same digest for the same arguments in another order', () => {
    expect(digestValue(key, { a: 1, b: { c: [1], d: null } })).toBe(
      digestValue(key, { b: { d: null, c: [1] }, a: 1 }),
    );
    expect(digestValue(key, { a: [1, 2] })).not.toBe(digestValue(key, { a: [2, 1] }));
  });

  it('is stored even if its arguments, result or annotations are not JSON', async () => {
    const sink = await openAuditSink({ file: log.file, key });
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const odd = { arguments: circular, result: circular, loggable: circular, annotations: { size: 1n } };
    await sink.write(sampleEvent({ ...odd }), 'strict');
    await sink.close();

    const [record] = await readRecords(log.file);
    expect(record).toMatchObject({ arguments: null, result: null, annotations: {} });
  });

  it('stays within its line', async () => {
    const sink = await openAuditSink({ file: log.file, key });
    const name = 'x\n{"batch":1}\r\u2028\u0000';
    await sink.write(sampleEvent({ client: { name } }), 'strict');
    await sink.close();

    const [record, ...others] = await readRecords(log.file);
    expect(record!.untrustedClient).toEqual({ name });
    expect(others).toEqual([]);
  });
});

describe('the keys of a log', () => {
  it('are created at the first use, for their owner only, and used again', async () => {
    for (const round of [1, 2]) {
      const sink = await openAuditSink({ file: log.file });
      await sink.write(sampleEvent({ id: `id-${round}` }), 'strict');
      await sink.close();
    }
    const [first, second] = await readRecords(log.file);
    expect(first!.arguments).toEqual(second!.arguments);
    expect((await stat(join(log.directory, 'audit.keys.json'))).mode & 0o777).toBe(0o600);
  });

  it('are refused if they are too short or of another kind', async () => {
    await expect(openAuditSink({ file: log.file, key: 'short' })).rejects.toMatchObject({
      code: 'TW_AUDIT_OPTIONS',
    });
    await expect(openAuditSink({ file: log.file, signingKey: 'no key' })).rejects.toMatchObject({
      code: 'TW_AUDIT_OPTIONS',
    });
  });
});
