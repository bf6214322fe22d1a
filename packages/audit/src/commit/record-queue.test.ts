import { joinBatch } from '../chain/entries.js';
import { RecordQueue, type RecordRun } from './record-queue.js';

const BATCH = 512;

/** The bytes that a commit of these runs would write. */
function written(runs: readonly RecordRun[]): string {
  const { bytes, length } = joinBatch([], runs);
  return bytes.toString('utf8', 0, length);
}

const numbered = (lines: readonly string[], seq = 0) =>
  lines.map((line, index) => `{"seq":${seq + index + 1}${line}`).join('');

describe('a queue of records', () => {
  it('returns the lines in order, buffered and strict, short and longer than a slab', () => {
    const queue = new RecordQueue(0);
    const lines = ['a', 'ö€😀', 'x'.repeat(70_000), 'b', 'strict', 'c'].map((text) => `,"id":"${text}"}\n`);
    lines.forEach((line, index) => void (index === 4 ? queue.addStrict(line) : queue.add(line)));
    expect(queue.length).toBe(6);
    expect(written(queue.first(BATCH))).toBe(numbered(lines));
  });

  it('keeps many buffered records in one object', () => {
    const queue = new RecordQueue(0);
    for (let index = 0; index < 50; index++) queue.add(`,"id":${index}}\n`);
    expect(queue.first(BATCH).map(({ count }) => count)).toEqual([50]);
  });

  it('does not change records that a commit has taken', () => {
    const queue = new RecordQueue(0);
    queue.add(',"id":"first"}\n');
    const taken = queue.first(BATCH);
    queue.add(',"id":"second"}\n');
    expect(written(taken)).toBe(numbered([',"id":"first"}\n']));
    queue.remove(taken);
    expect(written(queue.first(BATCH))).toBe(numbered([',"id":"second"}\n'], 1));
  });

  it('takes only as many runs as it needs for the given number of records', () => {
    const queue = new RecordQueue(0);
    for (let index = 0; index < 5; index++) queue.addStrict(`,"id":${index}}\n`);
    expect(queue.first(3)).toHaveLength(3);
    expect(queue.first(9)).toHaveLength(5);
  });

  it('uses memory again only if nothing in it is needed', () => {
    const queue = new RecordQueue(0);
    const line = (round: number, index: number) => `,"round":${round},"id":"${'x'.repeat(600)}${index}"}\n`;
    const kept = queue.addStrict(',"id":"kept"}\n');
    const memory = new Set<Buffer>();
    for (let round = 0; round < 20; round++) {
      const lines = Array.from({ length: 300 }, (_, index) => line(round, index));
      for (const text of lines) queue.add(text);
      const taken = queue.first(BATCH).filter((run) => run !== kept);
      for (const { bytes } of taken) memory.add(bytes);
      expect(written(taken)).toBe(numbered(lines, 1 + round * lines.length));
      expect(written([kept])).toBe(numbered([',"id":"kept"}\n']));
      queue.remove(taken);
    }
    // A round takes at most seven slabs of 64 KiB, and one of them may be full of records that are still
    // needed.
    expect(memory.size).toBeLessThanOrEqual(8);
    expect(queue.length).toBe(1);
  });

  it('gives new numbers to the records behind a withdrawn one', () => {
    const queue = new RecordQueue(7);
    const lines = ['a', 'b', 'ö€😀', 'c', 'd', 'e'].map((text) => `,"id":"${text}","note":"a,\\n"}\n`);
    const strict = lines.map((line, index) =>
      index === 1 || index === 3 ? queue.addStrict(line) : queue.add(line),
    );
    queue.withdraw([strict[1]!, strict[3]!]);
    queue.add(lines[1]!);
    const left = [lines[0]!, lines[2]!, lines[4]!, lines[5]!, lines[1]!];
    expect(queue.length).toBe(5);
    expect(written(queue.first(BATCH))).toBe(numbered(left, 7));
    queue.withdraw([]);
    expect(written(queue.first(BATCH))).toBe(numbered(left, 7));
  });

  it('returns the records whose callers wait', () => {
    const queue = new RecordQueue(0);
    queue.add(',"id":1}\n');
    const run = queue.addStrict(',"id":2}\n');
    expect(queue.waiting()).toEqual([]);
    run.wait = { event: 'intent', settle: () => undefined };
    expect(queue.waiting()).toEqual([run]);
  });
});
