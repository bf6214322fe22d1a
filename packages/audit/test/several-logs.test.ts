import type { CommandValues } from '@toolwright/json';
import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditEvent } from '@toolwright/core/ports';
import {
  auditCommands,
  exportAudit,
  latestRecords,
  openAuditSink,
  queryAudit,
  tailAudit,
  usageCommand,
  usageOf,
  type AuditLog,
  type AuditRecord,
  type AuditSource,
} from '../src/index.js';
import { sampleEvent } from './sample-event.js';
import { temporaryLog } from './temporary-log.js';

const log = temporaryLog();
const START = 1_785_225_600_000;

let files: string[];

/** The log of each replica is in a folder of its own, as on volumes of their own. */
async function write(replica: string, ...events: Partial<AuditEvent>[]): Promise<string> {
  const folder = join(log.directory, replica);
  await mkdir(folder, { recursive: true });
  const sink = await openAuditSink({ file: join(folder, 'audit.jsonl'), rotate: { maxBytes: 4_000 } });
  for (const event of events)
    await sink.write(sampleEvent({ callId: `${replica} ${event.time}`, ...event }), 'strict');
  await sink.close();
  return join(folder, 'audit.jsonl');
}

const at = (ms: number, more: Partial<AuditEvent> = {}) => ({ time: START + ms, ...more });

async function read(file: AuditLog | readonly AuditLog[]) {
  const found: { records: AuditRecord[]; broken: string[]; notes: string[] } = {
    records: [],
    broken: [],
    notes: [],
  };
  const { broken, notes } = found;
  const told = { onBroken: (text: string) => broken.push(text), onNote: (text: string) => notes.push(text) };
  for await (const record of queryAudit({ file, ...told })) found.records.push(record);
  return found;
}

const timesOf = ({ records }: { records: readonly AuditRecord[] }) => records.map(({ time }) => time - START);

beforeEach(async () => {
  files = [
    await write('one', at(1), at(4), at(7)),
    await write('two', at(2), at(5), at(8)),
    await write('three', at(3), at(6), at(9, { outcome: 'error' })),
  ];
});

test('several logs are one, in the order of time, whatever their order is', async () => {
  // A pattern for folders matches other files, too.
  await writeFile(join(log.directory, 'notes.txt'), '');
  const whole = await read(files);
  expect(timesOf(whole)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect([whole.broken, whole.notes]).toEqual([[], []]);
  const others = [
    [...files].reverse(),
    [join(log.directory, '*', 'audit.jsonl')],
    [join(log.directory, 't*/*'), files[0]!],
  ];
  for (const other of others) expect((await read(other)).records).toEqual(whole.records);
});

test('records of one millisecond come in the same order from every order of logs', async () => {
  const same = [await write('a', at(1), at(1)), await write('b', at(1), at(1)), await write('c', at(1))];
  const ids = async (given: string[]) => (await read(given)).records.map(({ id }) => id);
  expect(await ids([...same].reverse())).toEqual(await ids(same));
});

test('usage, export and the commands add up the logs of all replicas', async () => {
  const [row] = await usageOf({ file: files });
  expect(row).toMatchObject({ calls: 9, errors: 1 });
  const lines: string[] = [];
  for await (const line of exportAudit({ file: files })) lines.push(line);
  expect(lines).toHaveLength(9);
  expect(await run('query', files, { json: true })).toMatchObject({ code: 0, err: '' });
  expect((await run('usage', files, {})).out).toMatch(/delete_page +9 +1/);
});

test('a log that is missing is told, and the others are read', async () => {
  const { code, out, err } = await run('query', [...files, join(log.directory, 'four/audit.jsonl')], {
    json: true,
  });
  expect([code, out.trim().split('\n').length]).toEqual([1, 9]);
  expect(err).toContain('There is no audit log at');
  const none = await run('usage', [join(log.directory, 'none/*.jsonl')], {});
  expect([none.code, none.out]).toEqual([2, '']);
  await expect(queryAudit({ file: [...files, 'none.jsonl'] }).next()).rejects.toThrow(
    'no audit log at none.jsonl',
  );
});

test('every file of a folder means its log, once', async () => {
  const folder = join(log.directory, 'many');
  const file = await write('many', ...Array.from({ length: 30 }, (_, ms) => at(ms)));
  const all = (await readdir(folder)).map((name) => join(folder, name));
  expect(all.length).toBeGreaterThan(5);
  const { records, broken } = await read(all);
  expect([records.length, broken]).toEqual([30, []]);
  expect((await read([join(folder, '*.jsonl')])).records).toEqual(records);
  expect((await read(file)).records).toEqual(records);
  await rm(file);
  expect((await read([join(log.directory, 'm*/audit.jsonl')])).records.length).toBeGreaterThan(20);
});

test('a copy of a log counts once, and two different ones of one writer are told', async () => {
  const copy = join(log.directory, 'copy');
  await cp(join(log.directory, 'one'), copy, { recursive: true });
  const { records, broken, notes } = await read([...files, join(copy, 'audit.jsonl')]);
  expect([records.length, broken]).toEqual([9, []]);
  expect(notes).toEqual([expect.stringMatching(/^3 record\(s\) of writer .* are in several of these logs/)]);
  // Both go on where the copy was made: the chain of the writer has a fork.
  await write('copy', at(10));
  await write('one', at(10));
  const forked = await read([files[0]!, join(copy, 'audit.jsonl')]);
  expect(forked.broken).toEqual([
    expect.stringMatching(/^two logs have different records with the number 4/),
  ]);
});

test('a file that is missing in the middle, and a beginning that is missing, are told', async () => {
  const file = await write('long', ...Array.from({ length: 40 }, (_, ms) => at(ms)));
  const folder = join(log.directory, 'long');
  const rotated = (await readdir(folder)).filter((name) => /\.\d{6}\.jsonl$/.test(name)).sort();
  await rename(join(folder, rotated[1]!), join(log.directory, 'away'));
  const middle = await read([file, files[0]!]);
  expect(middle.broken).toEqual([expect.stringContaining('does not follow the one before it')]);
  await rm(join(folder, rotated[0]!));
  const beginning = await read([file, files[0]!]);
  expect(beginning.notes).toEqual([
    expect.stringMatching(/^writer .* begins with its record \d+: what it wrote before/),
  ]);
});

test('clocks that differ are told, where a call shows it', async () => {
  const ahead = await write('ahead', at(5_000, { callId: 'shared', event: 'intent' }));
  const behind = await write('behind', at(1_000, { callId: 'shared' }), at(9_000), at(8_000), at(9_500));
  const { records, notes } = await read([ahead, behind]);
  expect(timesOf({ records })).toEqual([1_000, 5_000, 9_000, 8_000, 9_500]);
  const [one, other] = [records[1]!.writer, records[0]!.writer];
  expect(notes).toEqual([
    `the clock of writer ${other} went back by up to 1000 ms`,
    `the clock of writer ${one} is at least 4000 ms ahead of that of writer ${other}`,
  ]);
});

test('verify says it of each log, and the worst counts', async () => {
  const good = await run('verify', files, {});
  expect([good.code, good.out.match(/CONSISTENT WITH ITSELF: 3 records/g)]).toEqual([3, expect.any(Array)]);
  expect(good.out.match(/CONSISTENT/g)).toHaveLength(3);
  const { code, out, err } = await run('verify', [...files, join(log.directory, 'four.jsonl')], {
    json: true,
  });
  expect([code, JSON.parse(out)]).toEqual([
    1,
    files.map((file) => expect.objectContaining({ file, verdict: 'consistent', records: 3 })),
  ]);
  expect(err).toContain('There is no audit log');
});

test('a table is one of the logs, and cannot be verified', async () => {
  const { records } = await read(files[0]!);
  const rows = records.map((record, at) => ({ ...record, writer: 'of the table', id: `t${at}` }));
  async function* some() {
    for (const record of rows) yield { record, number: record.seq };
  }
  async function* latest(before = String(rows.length)) {
    for (let at = Number(before) - 1; at >= 0; at--)
      yield { record: rows[at]!, line: JSON.stringify(rows[at]), place: String(at) };
  }
  const table: AuditSource = {
    name: 'a table',
    writers: async () => [some()],
    latest,
    close: async () => undefined,
  };
  expect(timesOf(await read([table, files[1]!]))).toEqual([1, 2, 4, 5, 7, 8]);
  expect(await pagesOf([table, files[1]!], 4)).toEqual([8, 7, 5, 4, 2, 1]);
  expect(await run('verify', [table], {})).toMatchObject({
    code: 2,
    err: expect.stringContaining('compareAudit'),
  });
  for (const name of ['tail', 'anchor'])
    expect(await run(name, [table], {})).toMatchObject({
      code: 2,
      err: expect.stringContaining('This command reads logs, and not a table'),
    });
});

test('tail and anchor read several logs', async () => {
  const stop = new AbortController();
  const gone = join(log.directory, 'four.jsonl');
  const [found, broken]: [number[], string[]] = [[], []];
  const told = { onBroken: (text: string) => broken.push(text) };
  const file = [...files, gone];
  for await (const { time } of tailAudit({ file, last: 4, pollInterval: 1, signal: stop.signal, ...told })) {
    found.push(time - START);
    if (found.length === 4) await write('two', at(20));
    if (found.length === 5) stop.abort();
  }
  expect(found).toEqual([6, 7, 8, 9, 20]);
  expect(broken).toEqual([`There is no audit log at ${gone}.`]);
  await expect(tailAudit({ file }).next()).rejects.toMatchObject({ code: 'TW_AUDIT_NOT_FOUND' });
  const { code, out } = await run('anchor', [join(log.directory, '*/audit.jsonl')], {});
  const anchors = join(log.directory, 'anchors.json');
  await writeFile(anchors, out);
  expect([code, (JSON.parse(out) as unknown[]).length]).toEqual([0, 3]);
  expect((await run('verify', files, { anchors })).code).toBe(3);
  const fewer = await run('verify', files.slice(1), { anchors });
  expect([fewer.code, fewer.out]).toEqual([1, expect.stringContaining('which has no file here')]);
});

test('a file that is not a log is told once by tail', async () => {
  const stop = new AbortController();
  const broken: string[] = [];
  await writeFile(join(log.directory, 'garbage.jsonl'), 'nothing of a log\n');
  const file = [join(log.directory, 'garbage.jsonl'), files[0]!];
  const options = { file, last: 1, pollInterval: 1, signal: stop.signal };
  let count = 0;
  for await (const _ of tailAudit({ ...options, onBroken: (text) => broken.push(text) })) {
    if (++count === 3) stop.abort();
    else await write('one', at(20 + count));
  }
  expect(broken).toEqual([expect.stringContaining('part of no batch')]);
});

test('pages go back through all logs, and name one that is not there', async () => {
  expect(await pagesOf(files, 2)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  const gone = join(log.directory, 'four.jsonl');
  const broken: string[] = [];
  const told = { onBroken: (text: string) => broken.push(text) };
  const page = await latestRecords({ file: [...files, gone], limit: 2, ...told });
  expect([timesOf(page), broken]).toEqual([[9, 8], [`There is no audit log at ${gone}.`]]);
  await expect(latestRecords({ file: [...files, gone] })).rejects.toThrow('There is no audit log');
  await expect(latestRecords({ file: [gone] })).rejects.toMatchObject({ code: 'TW_AUDIT_NOT_FOUND' });
  const wrong = JSON.stringify([[`0 ${files[0]}`, '1:x']]);
  await expect(latestRecords({ file: files, before: wrong })).rejects.toMatchObject({
    code: 'TW_AUDIT_OPTIONS',
  });
});

async function pagesOf(file: readonly AuditLog[], limit: number): Promise<number[]> {
  const times: number[] = [];
  for (let before: string | undefined; ;) {
    const page = await latestRecords({ file, limit, ...(before !== undefined && { before }) });
    times.push(...timesOf(page));
    if (page.next === undefined) return times;
    before = page.next;
  }
}

async function run(name: string, logs: readonly AuditLog[], values: CommandValues) {
  const said = { out: '', err: '' };
  const console = {
    out: (text: string) => void (said.out += text),
    err: (text: string) => void (said.err += text),
    interactive: false,
  };
  const code = await [...auditCommands, usageCommand]
    .find((each) => each.name === name)!
    .run(logs, values, console);
  return { code, ...said };
}
