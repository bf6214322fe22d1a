import { readFile, writeFile } from 'node:fs/promises';
import { digestValue, exportAudit, openAuditSink } from '../../src/index.js';
import { sampleEvent } from '../sample-event.js';
import { temporaryLog } from '../temporary-log.js';

const log = temporaryLog();
const key = 'k'.repeat(32);
const HALF = 'cut \ud83d';
const WHOLE = 'cut \ufffd';

async function exported(format: 'jsonl' | 'csv'): Promise<string> {
  let text = '';
  for await (const line of exportAudit({ file: log.file, format })) text += line;
  return text;
}

test('half a surrogate pair leaves neither in the log nor in an export', async () => {
  const sink = await openAuditSink({ file: log.file, key });
  const principal = { subject: HALF, clientId: HALF, claims: { tenant: HALF } };
  const event = sampleEvent({
    name: HALF,
    principal,
    client: { name: HALF, version: HALF },
    arguments: { a: HALF },
    loggable: { [HALF]: HALF },
    reason: HALF,
    detail: HALF,
    result: JSON.stringify({ a: 1 }),
  });
  await sink.write(event, 'strict');
  await sink.close();
  const written = await readFile(log.file, 'utf8');
  const records = await exported('jsonl');
  for (const text of [written, records, await exported('csv')]) {
    expect(text).toContain(WHOLE);
    expect(text).not.toMatch(/\\ud|[\ud800-\udfff]/);
  }
  // Two texts that differ have different digests, whatever is shown of them.
  expect(JSON.parse(records)).toMatchObject({ arguments: { hmac: digestValue(key, { a: HALF }) } });
  expect(digestValue(key, { a: HALF })).not.toBe(digestValue(key, { a: WHOLE }));
});

test('an export of records that were written before is well formed, too', async () => {
  const sink = await openAuditSink({ file: log.file, key });
  await sink.write(sampleEvent({ reason: WHOLE, loggable: { a: WHOLE } }), 'strict');
  await sink.close();
  await writeFile(log.file, (await readFile(log.file, 'utf8')).replaceAll(WHOLE, 'cut \\ud83d'));
  for (const text of [await exported('jsonl'), await exported('csv')]) {
    expect(text).toContain(WHOLE);
    expect(text).not.toMatch(/\\ud|[\ud800-\udfff]/);
  }
});
