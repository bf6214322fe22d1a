import { execFileSync } from 'node:child_process';
import { copyFile, cp, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { CommandValues } from '@toolwright/json';
import {
  type AuditLog,
  type AuditSource,
  auditCommands,
  latestRecords,
  openAuditSink,
  queryAudit,
  usageCommand,
} from '../../src/index.js';
import { sampleEvent } from '../sample-event.js';
import { temporaryLog } from '../temporary-log.js';
import { onPosix } from '../../../../.ci/test/support/on-platforms.js';

const log = temporaryLog();
const START = 1_785_225_600_000;

async function write(replica: string, ...times: number[]): Promise<string> {
  const file = join(log.directory, replica, 'audit.jsonl');
  await mkdir(join(log.directory, replica), { recursive: true });
  const sink = await openAuditSink({ file });
  for (const time of times)
    await sink.write(sampleEvent({ time: START + time, callId: `${replica} ${time}` }), 'strict');
  await sink.close();
  return file;
}

async function run(name: string, logs: readonly AuditLog[], values: CommandValues = {}) {
  const said = { out: '', err: '' };
  const code = await [...auditCommands, usageCommand]
    .find((each) => each.name === name)!
    .run(logs, values, {
      out: (text) => void (said.out += text),
      err: (text) => void (said.err += text),
      interactive: false,
      signal: AbortSignal.abort(),
    });
  return { code, ...said };
}

/** Two logs with the same first records, of which each went on by itself. */
async function fork(): Promise<[string, string]> {
  const one = await write('one', 1, 2, 3);
  await cp(join(log.directory, 'one'), join(log.directory, 'two'), { recursive: true });
  return [await write('one', 10, 11, 12), await write('two', 20, 21, 22, 23)];
}

describe('two logs whose chains contradict each other', () => {
  test('query tells each number that differs, and prints all records, whatever the order of the files', async () => {
    const logs = await fork();
    const told = await run('query', logs, { json: true });
    expect([told.code, told.out.trim().split('\n').length]).toEqual([1, 10]);
    expect(told.err).toContain('two logs have different records with the number 4 of writer');
    expect(told.err).toMatch(/logs have different records with 3 numbers of writer/);
    expect(await run('query', [...logs].reverse(), { json: true })).toEqual(told);
  });

  test('the same in usage, where one record is other, and where both are of one millisecond', async () => {
    await write('one', 1, 2);
    await cp(join(log.directory, 'one'), join(log.directory, 'two'), { recursive: true });
    const logs = [await write('one', 5), await write('two', 5)];
    const told = await run('usage', logs);
    expect(told).toMatchObject({ code: 1, err: expect.stringContaining('number 3') });
    expect(await run('usage', [...logs].reverse())).toEqual(told);
    const read = await run('query', logs, { json: true });
    expect((await run('query', [...logs].reverse(), { json: true })).out).toBe(read.out);
  });

  test('pages from the end have all records, too, in any order, and those that both have once', async () => {
    const logs = await fork();
    const pages = async (file: readonly string[]) => {
      const [ids, broken]: [string[], Set<string>] = [[], new Set()];
      const onBroken = (text: string) => void broken.add(text);
      for (let before: string | undefined; ;) {
        const page = await latestRecords({ file, limit: 3, onBroken, ...(before && { before }) });
        ids.push(...page.records.map(({ callId }) => callId));
        if (!(before = page.next)) return { ids, broken };
      }
    };
    const { ids, broken } = await pages(logs);
    expect(ids).toEqual(
      ['two 23', 'two 22', 'one 12', 'two 21', 'one 11', 'two 20', 'one 10'].concat(
        'one 3',
        'one 2',
        'one 1',
      ),
    );
    expect([...broken][0]).toContain('two logs have different records with the number 6');
    expect(await pages([...logs].reverse())).toEqual({ ids, broken });
  });

  test('verify finds the fork, in any order, though each log is consistent', async () => {
    const logs = await fork();
    for (const given of [logs, [...logs].reverse()]) {
      const { code, out } = await run('verify', given);
      expect([code, out.match(/fork: batch \d+ of writer \S+ is another one in \S+/g)?.length]).toEqual([
        1, 2,
      ]);
    }
    for (const each of logs) expect((await run('verify', [each])).code).toBe(3);
  });

  test('verify finds the fork within one folder', async () => {
    const [one, two] = await fork();
    const at = (file: string, name: string) => file.replace('audit.jsonl', name);
    await copyFile(two, at(one, 'audit.w1.jsonl'));
    await copyFile(at(two, 'audit.head'), at(one, 'audit.w1.head'));
    expect(await run('verify', [one])).toMatchObject({ code: 1, out: expect.stringContaining('fork') });
    const told = await run('query', [one], { json: true });
    expect([told.code, told.out.trim().split('\n').length]).toEqual([1, 10]);
    expect(told.err).toContain('different records with the number 4 of writer');
    for (const name of ['usage', 'export']) expect((await run(name, [one])).code).toBe(1);
  });

  test.each([
    ['one went on without a record', [], [20, 21], 3],
    ['neither wrote a record', [], [], 1],
  ])('a fork within one folder is told where %s', async (_what, ours, theirs, records) => {
    const one = await write('one', 1);
    await cp(join(log.directory, 'one'), join(log.directory, 'two'), { recursive: true });
    await write('one', ...ours);
    const two = await write('two', ...theirs);
    const copy = one.replace('audit.jsonl', 'audit.w1.jsonl');
    await copyFile(two, copy);
    await copyFile(two.replace('.jsonl', '.head'), copy.replace('.jsonl', '.head'));
    const told = await run('query', [one], { json: true });
    expect([told.code, told.out.trim().split('\n').length]).toEqual([1, records]);
    expect(told.err).toMatch(/batch \d+ of writer \S+ is another one in/);
    for (const name of ['usage', 'export', 'verify']) expect((await run(name, [one])).code).toBe(1);
    const broken: string[] = [];
    await latestRecords({ file: one, onBroken: (text) => broken.push(text) });
    expect(broken.join()).toContain(`${copy}: batch`);
  });

  test('a copy within one folder that did not go on is not a fork', async () => {
    const one = await write('one', 1, 2);
    const at = (name: string) => one.replace('audit.jsonl', name);
    await copyFile(one, at('audit.w1.jsonl'));
    await copyFile(at('audit.head'), at('audit.w1.head'));
    const { code, out } = await run('query', [one], { json: true });
    expect([code, out.trim().split('\n').length]).toEqual([0, 2]);
  });

  test('verify takes an older copy of a log for what it is', async () => {
    const one = await write('one', 1, 2, 3);
    await cp(join(log.directory, 'one'), join(log.directory, 'old'), { recursive: true });
    const { code, out } = await run('verify', [one, join(log.directory, 'old', 'audit.jsonl')]);
    expect([code, out.includes('fork')]).toEqual([3, false]);
  });
});

describe('a table beside its log', () => {
  async function tableOf(file: string, change: (record: object) => object): Promise<AuditSource> {
    const rows: never[] = [];
    for await (const record of queryAudit({ file }))
      rows.push({ record: record.seq === 2 ? change(record) : record, number: record.seq } as never);
    async function* some() {
      yield* rows;
    }
    return {
      name: 'a table',
      writers: async () => [some()],
      latest: some as never,
      close: async () => undefined,
    };
  }

  test.each([
    ['its result', { outcome: 'denied' }],
    ['its time', { time: START + 99 }],
    ['its number', { seq: 77 }],
  ])('a row of which somebody changed %s is told, in any order', async (_what, change) => {
    const file = await write('one', 1, 2, 3);
    const table = await tableOf(file, (record) => ({ ...record, ...change }));
    const told = await run('query', [file, table], { json: true });
    expect([told.code, told.out.trim().split('\n').length]).toEqual([1, 4]);
    expect(told.err).toContain('two logs have different records with the number 2');
    expect(await run('query', [table, file], { json: true })).toEqual(told);
    expect(await run('usage', [file, table])).toMatchObject({ code: 1 });
    const same = await tableOf(file, (record) => record);
    expect(await run('query', [file, same], { json: true })).toMatchObject({ code: 0 });
  });
});

describe('a record that names another number', () => {
  test('hides none of those after it', async () => {
    const file = await write('one', 1, 2, 3, 4);
    await writeFile(file, (await readFile(file, 'utf8')).replace('{"seq":2,', '{"seq":900,'));
    const { code, out, err } = await run('query', [file], { json: true });
    expect([code, out.trim().split('\n').length]).toEqual([1, 4]);
    expect(err).toContain('does not match its hash');
  });
});

describe('what is not a log', () => {
  test.each([
    ['garbage', () => Buffer.from('some words\nand more\n'), 'that are part of no batch'],
    ['zeros', (bytes: Buffer) => Buffer.alloc(bytes.length), 'they begin with zeros'],
    ['compressed', (bytes: Buffer) => gzipSync(bytes), 'they are compressed'],
    ['cut to nothing', () => Buffer.alloc(0), 'is empty'],
    [
      'zeros after its last record',
      (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(20)]),
      'they begin with zeros',
    ],
    ['in UTF-16', (bytes: Buffer) => Buffer.from(bytes.toString(), 'utf16le'), 'part of no batch'],
    [
      'with other ends of lines',
      (bytes: Buffer) => Buffer.from(bytes.toString().replaceAll('\n', '\r\n')),
      'does not match its hash',
    ],
    [
      'with a mark at its start',
      (bytes: Buffer) => Buffer.from(`\ufeff${bytes.toString()}`),
      'does not match its hash',
    ],
  ])('is told with its file: %s', async (_what, change, expected) => {
    const file = await write('one', 1, 2);
    const good = await write('two', 3);
    await writeFile(file, change(await readFile(file)));
    for (const name of ['query', 'export', 'usage', 'tail'])
      for (const logs of name === 'tail' ? [[file]] : [[file], [good, file]]) {
        const { code, err } = await run(name, logs);
        expect([name, code, err]).toEqual([name, 1, expect.stringContaining(file)]);
        expect(err).toContain(expected);
        // Every batch has another hash if all lines end in other bytes.
        if (!expected.includes('hash')) expect(err.split(expected)).toHaveLength(2);
      }
    expect((await run('verify', [file])).code).toBe(1);
  });

  test('a file beside the log that was compressed is told, too', async () => {
    const file = await write('one', 1, 2);
    await writeFile(`${file}.gz`, gzipSync(await readFile(file)));
    const { code, err } = await run('query', [join(log.directory, 'one', '*')]);
    expect([code, err]).toEqual([1, expect.stringContaining(`${file}.gz at byte 0`)]);
  });

  test('a head without its file is told', async () => {
    const file = await write('one', 1, 2);
    await rm(file);
    expect(await run('query', [file])).toMatchObject({ code: 1, err: expect.stringContaining('its head') });
  });

  test('a head whose file is not there is told, though earlier parts are', async () => {
    const file = await write('one', 1, 2);
    const head = file.replace('audit.jsonl', 'audit.head');
    const rotated = file.replace('audit.jsonl', 'audit.000001.jsonl');
    await rename(file, rotated);
    // So far it is what a writer leaves that ends between its files.
    expect(await run('query', [file], { json: true })).toMatchObject({ code: 0, err: '' });
    await write('one', 3);
    await rm(file);
    for (const name of ['query', 'export', 'usage', 'tail'])
      expect(await run(name, [file], { json: true })).toMatchObject({
        code: 1,
        err: expect.stringContaining(`there is no file ${file}, but its head ${head}`),
      });
    expect((await run('query', [file], { json: true })).out.trim().split('\n')).toHaveLength(2);
  });

  onPosix.each([
    ['a named pipe', 'audit.000009.jsonl', (path: string) => execFileSync('mkfifo', [path])],
    ['a named pipe', 'audit.w1.jsonl', (path: string) => execFileSync('mkfifo', [path])],
    ['a named pipe', 'audit.w1.head', (path: string) => execFileSync('mkfifo', [path])],
    ['a directory', 'audit.000009.jsonl', (path: string) => mkdir(path)],
    ['a device', 'audit.000009.jsonl', (path: string) => symlink('/dev/zero', path)],
    ['a device', 'audit.w1.jsonl', (path: string) => symlink('/dev/zero', path)],
    ['a link that leads nowhere', 'audit.000009.jsonl', (path: string) => symlink(`${path}.gone`, path)],
  ])(
    '%s instead of a file is told, and the rest is read (Windows has no mkfifo): %s',
    async (kind, name, make) => {
      const file = await write('one', 1, 2);
      const path = file.replace('audit.jsonl', name);
      await make(path);
      for (const command of ['query', 'export', 'usage', 'tail']) {
        const { code, out, err } = await run(command, [file], { json: true });
        expect([command, code, err]).toEqual([
          command,
          1,
          expect.stringContaining(`${path} is ${kind}, where`),
        ]);
        expect(out.trim().split('\n').length).toBeGreaterThan(0);
      }
      expect((await run('query', [file], { json: true })).out.trim().split('\n')).toHaveLength(2);
      const { code, out } = await run('verify', [file]);
      expect([code, out]).toEqual([1, expect.stringContaining(`this part is ${kind}, where`)]);
      expect(out).toContain(path);
    },
  );

  onPosix(
    'a pipe in the place of the log or of its keys does not keep a reader (Windows has no mkfifo)',
    async () => {
      const file = await write('one', 1, 2);
      const keys = file.replace('audit.jsonl', 'audit.pub.pem');
      for (const path of [file, keys]) {
        await rm(path);
        execFileSync('mkfifo', [path]);
      }
      for (const name of ['query', 'verify', 'tail']) expect((await run(name, [file])).code).toBe(1);
      expect((await run('anchor', [file])).code).toBe(2);
    },
  );

  onPosix('a link to a part is read as the part (on Windows, only administrators make links)', async () => {
    const file = await write('one', 1, 2);
    await rename(file, `${file}.elsewhere`);
    await symlink(`${file}.elsewhere`, file);
    const { code, out } = await run('query', [file], { json: true });
    expect([code, out.trim().split('\n').length]).toEqual([0, 2]);
  });

  test('a folder is told as one', async () => {
    await write('one', 1);
    const folder = join(log.directory, 'one');
    for (const name of ['query', 'verify', 'tail', 'anchor', 'usage'])
      expect(await run(name, [folder])).toMatchObject({
        code: 2,
        err: `${folder} is a folder. Name the file of a log in it, such as ${join(folder, 'audit.jsonl')}.\n`,
      });
  });

  test.each(['null', '5', '"text"', '[]', '{}', '{"open":null}', 'no JSON'])(
    'a line is told with its number: %s',
    async (line) => {
      const file = await write('one', 1, 2, 3);
      const lines = (await readFile(file, 'utf8')).split('\n');
      const at = lines.findIndex((each) => each.startsWith('{"seq":2,'));
      lines[at] = line;
      await writeFile(file, lines.join('\n'));
      const read = await run('query', [file], { json: true });
      expect([read.code, read.err]).toEqual([1, expect.stringContaining(`line ${at + 1} is not a record`)]);
      expect(await run('verify', [file])).toMatchObject({
        code: 1,
        out: expect.stringContaining(`line ${at + 1} is neither a record nor an entry`),
      });
    },
  );

  test('what is given with a log is told, too', async () => {
    const file = await write('one', 1);
    for (const text of ['[null]', '[5]', '{}', 'null', '[{}]']) {
      await writeFile(join(log.directory, 'anchors.json'), text);
      const { code, err } = await run('verify', [file], { anchors: join(log.directory, 'anchors.json') });
      expect([code, err]).toEqual([2, '--anchors takes a file with a JSON array of checkpoints.\n']);
    }
    for (const option of ['anchors', 'publicKey'])
      expect(await run('verify', [file], { [option]: log.directory })).toMatchObject({
        code: 2,
        err: expect.stringContaining(`${log.directory} cannot be read: EISDIR`),
      });
    await rm(file.replace('audit.jsonl', 'audit.head'));
    expect(await run('anchor', [file])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('audit.head has no head that a key of'),
    });
  });

  test('a last line that is cut off is what a crash leaves', async () => {
    const file = await write('one', 1, 2);
    const text = await readFile(file, 'utf8');
    await truncate(file, text.indexOf('{"seq":2,') + 30);
    expect((await run('query', [file], { json: true })).code).toBe(0);
    expect((await run('verify', [file])).code).toBe(1);
  });
});
