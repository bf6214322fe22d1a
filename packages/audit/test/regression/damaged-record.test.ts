import { readFile, writeFile } from 'node:fs/promises';
import {
  latestRecords,
  openAuditSink,
  queryAudit,
  type AuditRecord,
  type RecordSink,
} from '../../src/index.js';
import { sampleEvent } from '../sample-event.js';
import { temporaryLog } from '../temporary-log.js';

const log = temporaryLog();
const errors: string[] = [];
const logger = {
  debug() {},
  info() {},
  warn() {},
  error: (_: object, text: string) => void errors.push(text),
};

class Tap implements RecordSink {
  readonly name = 'tap';
  readonly ids: string[] = [];
  async ship(records: readonly AuditRecord[]): Promise<void> {
    this.ids.push(...records.map(({ id }) => id));
  }
}

const damages: [what: string, damage: (line: string) => string][] = [
  ['no JSON', (line: string) => `${line.slice(0, -1)}]`],
  ['a record without an id', (line: string) => line.replace('"id":"b"', '"ID":"b"')],
  ['a time that is a text', (line: string) => line.replace(/"time":\d+/, '"time":"now"')],
  ...[
    '"time":1e300',
    '"time":-1',
    '"durationMs":-5',
    '"durationMs":"5"',
    '"count":0',
    '"count":1.5',
    '"result":{"hmac":"","bytes":-1000}',
    '"result":{"hmac":"","bytes":1e999}',
    '"result":{"hmac":"","bytes":9,"read":"9"}',
  ].map((figure): [string, (line: string) => string] => [
    figure,
    (line: string) => `${line.slice(0, -1)},${figure}}`,
  ]),
];

describe.each(damages)('a record that somebody has damaged: %s', (_what, damage) => {
  beforeEach(async () => {
    errors.length = 0;
    const audit = await openAuditSink({ file: log.file, logger });
    for (const id of ['a', 'b', 'c']) await audit.write(sampleEvent({ id }), 'strict');
    await audit.close();
    const file = log.file.replace('.jsonl', '.0.jsonl');
    const path = await readFile(file, 'utf8').then(
      () => file,
      () => log.file,
    );
    const lines = (await readFile(path, 'utf8')).split('\n');
    const damaged = lines.map((line) => (line.includes('"id":"b"') ? damage(line) : line));
    expect(damaged).not.toEqual(lines);
    await writeFile(path, damaged.join('\n'));
  });

  it('hides no other one from those who read', async () => {
    const broken: string[] = [];
    const found: string[] = [];
    for await (const { id } of queryAudit({ file: log.file, onBroken: (text) => broken.push(text) }))
      found.push(id);
    expect(found).toEqual(['a', 'c']);
    expect(broken.length).toBeGreaterThan(0);
    const { records } = await latestRecords({ file: log.file });
    expect(records.map(({ id }) => id)).toEqual(['c', 'a']);
  });

  it('holds up no other one that is shipped, and is told', async () => {
    const tap = new Tap();
    const audit = await openAuditSink({ file: log.file, sinks: [tap], logger });
    await audit.close();
    expect(tap.ids).toEqual(['a', 'c']);
    expect(errors.filter((text) => text.includes('cannot be read'))).toHaveLength(1);
  });
});
