import { silentLogger } from '@toolwright/core/ports';
import { openAuditSink, readShipped, type AuditRecord, type RecordSink } from '../src/index.js';
import { sampleEvent } from './sample-event.js';
import { temporaryLog } from './temporary-log.js';

const log = temporaryLog();

/** A sink that takes records until it is told not to. */
class Tap implements RecordSink {
  readonly name = 'tap';
  isOpen = true;

  async ship(): Promise<void> {
    if (!this.isOpen) throw new Error('closed for the test');
  }
}

async function write(sink: RecordSink, ...ids: string[]): Promise<void> {
  const audit = await openAuditSink({
    file: log.file,
    sinks: [sink],
    logger: silentLogger,
    rotate: { maxBytes: 1_500 },
  });
  for (const id of ids) await audit.write(sampleEvent({ id }), 'strict');
  await audit.close();
}

async function read(sink: string): Promise<[string, boolean][]> {
  const found: [AuditRecord, boolean][] = [];
  for await (const { records, isShipped } of readShipped({ file: log.file, sink })) {
    for (const record of records) found.push([record, isShipped]);
  }
  return found.map(([{ id }, isShipped]) => [id, isShipped]);
}

describe('the records of a log, as far as a sink has got them', () => {
  it('are told apart from those that wait, over several files', async () => {
    const tap = new Tap();
    await write(tap, 'a', 'b', 'c', 'd');
    tap.isOpen = false;
    await write(tap, 'e', 'f');
    const shipped = ['a', 'b', 'c', 'd'].map((id) => [id, true]);
    expect(await read('tap')).toEqual([...shipped, ['e', false], ['f', false]]);
    tap.isOpen = true;
    await write(tap);
    expect((await read('tap')).every(([, isShipped]) => isShipped)).toBe(true);
  });

  it('all wait for a sink that the log does not know', async () => {
    await write(new Tap(), 'a');
    expect(await read('other')).toEqual([['a', false]]);
  });

  it('are not found where there is not a log', async () => {
    await expect(read('tap')).rejects.toMatchObject({ code: 'TW_AUDIT_NOT_FOUND' });
  });
});
