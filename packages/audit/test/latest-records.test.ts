import { appendFile, readFile } from 'node:fs/promises';
import { latestLinks, latestRecords, openAuditSink, type AuditSinkOptions } from '../src/index.js';
import { sampleEvent } from './sample-event.js';
import { temporaryLog } from './temporary-log.js';

const log = temporaryLog();

async function write(
  ids: readonly (readonly [id: string, time: number])[],
  options: Partial<AuditSinkOptions> = {},
): Promise<void> {
  const sink = await openAuditSink({ file: log.file, ...options });
  for (const [id, time] of ids) await sink.write(sampleEvent({ id, time, name: `tool_${id}` }), 'strict');
  await sink.close();
}

const idsOf = ({ records }: { records: readonly { id: string }[] }) => records.map(({ id }) => id);

const many = (count: number) => Array.from({ length: count }, (_, at) => [`r${at}`, at] as const);

it('gives pages from the end to the beginning, through all files, and nothing twice', async () => {
  await write(many(25), { rotate: { maxBytes: 2_000 } });
  const seen: string[] = [];
  let before: string | undefined;
  do {
    const page = await latestRecords({ file: log.file, limit: 7, ...(before !== undefined && { before }) });
    seen.push(...idsOf(page));
    before = page.next;
  } while (before !== undefined);
  expect(seen).toEqual(
    many(25)
      .map(([id]) => id)
      .reverse(),
  );
});

it('a page does not change while records are added', async () => {
  await write(many(4));
  const { next } = await latestRecords({ file: log.file, limit: 2 });
  await write([['later', 100]]);
  expect(idsOf(await latestRecords({ file: log.file, before: next! }))).toEqual(['r1', 'r0']);
});

it('orders the records of several writers by time', async () => {
  const [one, other] = await Promise.all([
    openAuditSink({ file: log.file }),
    openAuditSink({ file: log.file }),
  ]);
  for (const [sink, id, time] of [
    [one, 'a', 1],
    [other, 'b', 2],
    [one, 'c', 3],
    [other, 'd', 4],
  ] as const)
    await sink.write(sampleEvent({ id, time }), 'strict');
  await Promise.all([one.close(), other.close()]);
  const first = await latestRecords({ file: log.file, limit: 3 });
  expect(idsOf(first)).toEqual(['d', 'c', 'b']);
  expect(idsOf(await latestRecords({ file: log.file, before: first.next! }))).toEqual(['a']);
});

it('finds by fields and by text', async () => {
  await write(many(12));
  expect(idsOf(await latestRecords({ file: log.file, filter: { name: 'tool_r3' } }))).toEqual(['r3']);
  expect(idsOf(await latestRecords({ file: log.file, text: 'TOOL_R1' }))).toEqual(['r11', 'r10', 'r1']);
  expect(await latestRecords({ file: log.file, text: 'nowhere' })).toEqual({
    records: [],
    next: undefined,
  });
});

it('long lines cross the chunks that are read', async () => {
  const sink = await openAuditSink({ file: log.file });
  for (const id of ['a', 'b'])
    await sink.write(sampleEvent({ id, loggable: { note: `${id}ü`.repeat(60_000) } }), 'strict');
  await sink.close();
  const { records } = await latestRecords({ file: log.file });
  expect(records.map(({ id, loggable }) => [id, String(loggable!['note']).slice(-2)])).toEqual([
    ['b', 'bü'],
    ['a', 'aü'],
  ]);
});

it('leaves out what no seal follows', async () => {
  await write(many(1));
  const [line] = (await readFile(log.file, 'utf8')).split('\n').filter((each) => each.startsWith('{"seq"'));
  await appendFile(log.file, `${line!.replace('"r0"', '"torn"')}\n{"seq":3,"id`);
  expect(idsOf(await latestRecords({ file: log.file }))).toEqual(['r0']);
});

it('shows the links of the chain', async () => {
  await write(many(3));
  const links = await latestLinks(log.file);
  expect(links.length).toBeGreaterThanOrEqual(3);
  links.slice(1).forEach((link, at) => expect(links[at]!.prev).toBe(link.hash));
  expect(links.at(-1)!.prev).toBe('0'.repeat(64));
  expect(await latestLinks(log.file, 1)).toEqual([links[0]]);
});

it('says what is wrong', async () => {
  await expect(latestRecords({ file: log.file })).rejects.toMatchObject({ code: 'TW_AUDIT_NOT_FOUND' });
  await write(many(1));
  for (const before of ['nothing', '[[0,{"segment":-1,"offset":0}]]', '{}'])
    await expect(latestRecords({ file: log.file, before })).rejects.toMatchObject({
      code: 'TW_AUDIT_OPTIONS',
    });
});
