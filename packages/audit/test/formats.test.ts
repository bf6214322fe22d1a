import { createHmac } from 'node:crypto';
import { appendFile, cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestValue, openAuditSink, queryAudit, verifyAudit } from '../src/index.js';
import { sampleEvent } from './sample-event.js';
import { readIds, readRecords, temporaryLog } from './temporary-log.js';

const log = temporaryLog();
const key = 'k'.repeat(32);
const long = 'a "quoted" line\n'.repeat(100);

/** A log that version 0.1.0 wrote, before strings had digests: the records "short" and "long". */
const OLD = join(__dirname, 'fixtures', 'log-of-format-1');

describe('a record with a long string in its arguments', () => {
  it('says that its digest has form 2, and is found by the same value', async () => {
    const sink = await openAuditSink({ file: log.file, key });
    await sink.write(sampleEvent({ arguments: { text: long, pageId: 'p-1' } }), 'strict');
    await sink.write(sampleEvent(), 'strict');
    await sink.close();

    const argumentsHmac = digestValue(key, { pageId: 'p-1', text: long });
    const [first, second] = await readRecords(log.file);
    expect(first!.arguments).toEqual({ hmac: argumentsHmac, form: 2 });
    expect(second!.arguments).toEqual({ hmac: digestValue(key, { pageId: 'p-1' }) });
    const found = [];
    for await (const { seq } of queryAudit({ file: log.file, filter: { argumentsHmac } })) found.push(seq);
    expect(found).toEqual([1]);
  });

  it('has the digest of the whole text of its result, as before', async () => {
    const sink = await openAuditSink({ file: log.file, key });
    const result = JSON.stringify({ content: [{ type: 'text', text: long.repeat(20) }] });
    await sink.write(sampleEvent({ result }), 'strict');
    await sink.close();
    const hmac = createHmac('sha256', key).update(result).digest('hex');
    expect((await readRecords(log.file))[0]!.result).toEqual({ hmac, bytes: Buffer.byteLength(result) });
  });
});

describe('a log of an earlier version', () => {
  beforeEach(() => cp(OLD, log.directory, { recursive: true }));
  const publicKey = () => readFile(join(OLD, 'audit.pub.pem'), 'utf8');

  it('is genuine, and its records are found', async () => {
    expect(await verifyAudit({ file: log.file, publicKey: await publicKey() })).toMatchObject({
      verdict: 'genuine',
      records: 2,
    });
    const keys = JSON.parse(await readFile(join(OLD, 'audit.keys.json'), 'utf8')) as { hmac: string };
    const oldKey = Buffer.from(keys.hmac, 'base64');
    const argumentsHmac = digestValue(oldKey, { pageId: 'p-1', text: long }, { form: 1 });
    const found = [];
    for await (const { id } of queryAudit({ file: log.file, filter: { argumentsHmac } })) found.push(id);
    expect(found).toEqual(['long']);
  });

  it('goes on with records of this version, in one chain', async () => {
    const sink = await openAuditSink({ file: log.file });
    await sink.write(sampleEvent({ id: 'new', arguments: { text: long } }), 'strict');
    await sink.close();
    expect(await readIds(log.file)).toEqual(['short', 'long', 'new']);
    expect(await verifyAudit({ file: log.file, publicKey: await publicKey() })).toMatchObject({
      verdict: 'genuine',
      records: 3,
    });
  });

  it('is broken when somebody adds to it', async () => {
    await appendFile(log.file, '{"seq":3}\n');
    const { verdict } = await verifyAudit({ file: log.file, publicKey: await publicKey() });
    expect(verdict).toBe('broken');
  });
});
