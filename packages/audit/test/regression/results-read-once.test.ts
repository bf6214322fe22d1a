import { openAuditSink, usageOf } from '../../src/index.js';
import { sampleEvent } from '../sample-event.js';
import { readRecords, temporaryLog } from '../temporary-log.js';

const log = temporaryLog();

async function record(...results: unknown[]) {
  const sink = await openAuditSink({ file: log.file });
  for (const result of results) await sink.write(sampleEvent({ result }), 'strict');
  await sink.close();
  return (await readRecords(log.file)).map(({ result }) => result!);
}

const text = (text: string) => ({ content: [{ type: 'text', text }] });

// Servers behind a mount write the data of a result as text, too. Their results counted twice.
test('the data of a result that its text repeats is read once', async () => {
  const notes = { notes: Array.from({ length: 99 }, () => 'milk') };
  const json = JSON.stringify(notes);
  const [result] = await record({ ...text(json), structuredContent: notes });
  expect(result!.bytes).toBeGreaterThan(2 * json.length);
  expect(result!.read).toBe(json.length);
  expect((await usageOf({ file: log.file }))[0]!.tokens).toBe(Math.ceil(json.length / 4));
});

test('a model reads a text, and not the JSON around it; of text and data it reads the larger', async () => {
  const link = { type: 'resource_link', uri: 'notes://1', name: 'one' };
  const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
  const results = await record(
    text('"milk"\n'),
    { content: [...text('Grüße').content, link, image] },
    { ...text('One note.'), structuredContent: { note: 'milk and bread' } },
    { ...text('A note that is longer than its data.'), structuredContent: { notes: 1 } },
  );
  expect(results.map(({ read }) => read)).toEqual([7, 7 + JSON.stringify(link).length + 4, 25, 36]);
});

test('a result that is its text has one size', async () => {
  const [data, none] = await record('{"notes":1}', undefined);
  expect(data).toEqual({ hmac: expect.any(String), bytes: 11 });
  expect(none).toBeUndefined();
});
