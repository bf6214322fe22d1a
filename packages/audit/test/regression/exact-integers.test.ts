import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { exportAudit, jsonlRecordSink, openAuditSink, queryAudit } from '../../src/index.js';
import { sampleEvent } from '../sample-event.js';

test('the log, its exports and what is shipped have the integers that the method got', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'audit.jsonl');
  const sink = await openAuditSink({ file, key: 'k'.repeat(32) });
  const loggable = { id: 2 ** 60, ids: [-(2 ** 63), 5], text: '9007199254740993' };
  await sink.write(sampleEvent({ loggable }), 'buffered');
  await sink.close();
  const written = '{"id":1152921504606846976,"ids":[-9223372036854775808,5],"text":"9007199254740993"}';
  expect(readFileSync(file, 'utf8')).toContain(`"loggable":${written}`);
  const text = async (format: 'jsonl' | 'csv') => {
    let all = '';
    for await (const part of exportAudit({ file, format })) all += part;
    return all;
  };
  expect(await text('jsonl')).toContain(`"loggable":${written}`);
  expect(await text('csv')).toContain(written.replaceAll('"', '""'));
  const shipped = await jsonlRecordSink({ file: join(folder, 'shipped.jsonl') });
  for await (const record of queryAudit({ file })) await shipped.ship([record]);
  await shipped.close?.();
  expect(readFileSync(join(folder, 'shipped.jsonl'), 'utf8')).toContain(`"loggable":${written}`);
});
