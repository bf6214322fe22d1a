import type { CommandValues } from '@toolwright/json';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { auditCommands, openAuditSink } from '../src/index.js';
import { sampleEvent } from './sample-event.js';
import { temporaryLog } from './temporary-log.js';

const log = temporaryLog();

const run = async (name: string, values: CommandValues = {}, file = log.file) => {
  let [out, err] = ['', ''];
  const console = {
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
    interactive: false,
    signal: AbortSignal.abort(),
  };
  const code = await auditCommands.find((command) => command.name === name)!.run(file, values, console);
  return { code, out, err };
};

beforeEach(async () => {
  const sink = await openAuditSink({ file: log.file });
  const subject = 'mallory\u202e\u001b[2J';
  await sink.write(sampleEvent({ id: 'first', outcome: 'ok', durationMs: 3.2 }), 'strict');
  await sink.write(
    sampleEvent({ id: 'second', name: '=cmd', principal: { subject }, event: 'denied' }),
    'strict',
  );
  await sink.close();
});

describe('toolwright audit verify', () => {
  it('exits with 3 if the log is complete but nothing shows who wrote it', async () => {
    const { code, out } = await run('verify');
    expect(code).toBe(3);
    expect(out).toMatch(/^CONSISTENT WITH ITSELF: 2 records/);
  });

  it('exits with 1 and names the place if the log was changed', async () => {
    await writeFile(log.file, (await readFile(log.file, 'utf8')).replace('first', 'thirst'));
    const { code, out } = await run('verify');
    expect(code).toBe(1);
    expect(out).toMatch(/^NOT OK[\s\S]*changed: .*audit\.jsonl at byte/);
  });

  it('prints its report as JSON, and accepts a key from another place', async () => {
    const publicKey = join(log.directory, 'elsewhere.pem.d', 'key.pem');
    await mkdir(dirname(publicKey));
    await copyFile(join(log.directory, 'audit.pub.pem'), publicKey);
    const { code, out } = await run('verify', { json: true, publicKey });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ verdict: 'genuine', ok: true, records: 2, trust: 'given' });
  });

  it('exits with 2 if there is not a log or an option is wrong', async () => {
    const missing = join(log.directory, 'none.jsonl');
    expect(await run('verify', {}, missing)).toMatchObject({
      code: 2,
      err: `There is no audit log at ${missing}.\n`,
    });
    expect(await run('verify', { publicKey: '/nowhere.pem' })).toMatchObject({ code: 2, out: '' });
    expect(await run('verify', { anchors: log.file })).toMatchObject({ code: 2, out: '' });
  });
});

describe('toolwright audit query', () => {
  it('prints a table without control or hidden characters', async () => {
    const { code, out } = await run('query');
    expect(code).toBe(0);
    expect(out.split('\n')).toHaveLength(4);
    expect(out).toContain('mallory\\u{202e}\\u{1b}');
    expect(out).not.toMatch(/[\u202e]|\p{Cc}(?<!\n)/u);
  });

  it('cuts no value, however long it is', async () => {
    const sink = await openAuditSink({ file: log.file });
    const name = 'find_everything_that_anybody_has_ever_written_down';
    await sink.write(sampleEvent({ id: 'third', name, principal: { subject: 'a'.repeat(64) } }), 'strict');
    await sink.close();
    const { out } = await run('query', { name });
    expect(out).toContain(` ${name} ${'a'.repeat(64)} `);
    expect(out).not.toContain('…');
  });

  it('prints complete records as JSON lines, up to the limit', async () => {
    const { out } = await run('query', { json: true, limit: '1' });
    expect(JSON.parse(out)).toMatchObject({ id: 'first', seq: 1 });
  });

  it.each([
    [{ event: 'denied' }, ['second']],
    [{ since: '1d' }, []],
    [{ until: '2026-07-28T08:00:00.001Z' }, ['first', 'second']],
    [{ since: '2026-07-28T08:00:00.001Z' }, []],
  ])('selects records by %o', async (values, ids) => {
    const { out } = await run('query', { json: true, ...values });
    const found = out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).id);
    expect(found).toEqual(ids);
  });

  it.each([{ since: 'yesterday' }, { event: 'deleted' }, { limit: 'many' }])(
    'exits with 2 on %o',
    async (values) => {
      expect(await run('query', values)).toMatchObject({ code: 2, out: '' });
    },
  );
});

describe('toolwright audit export', () => {
  it('prints JSON lines', async () => {
    const { code, out } = await run('export');
    expect(code).toBe(0);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual(['first', 'second']);
  });

  it('prints CSV in which no cell is a formula', async () => {
    const { out } = await run('export', { format: 'csv' });
    const [heading, , second] = out.split('\r\n');
    expect(heading).toMatch(/^time,event,operation,name,/);
    expect(second).toContain(",'=cmd,");
  });

  it('exits with 2 for an unknown format', async () => {
    expect(await run('export', { format: 'xml' })).toMatchObject({ code: 2, out: '' });
  });
});

describe('toolwright audit anchor', () => {
  it('prints what verify accepts as anchors', async () => {
    const { code, out } = await run('anchor');
    expect(code).toBe(0);
    const anchors = join(log.directory, 'anchors.json');
    await writeFile(anchors, out);
    expect((await run('verify', { anchors })).code).toBe(3);
    await writeFile(anchors, out.replace(/"seq": \d+/, '"seq": 77'));
    expect((await run('verify', { anchors })).code).toBe(1);
  });
});

describe('toolwright audit tail', () => {
  it('prints the existing records and ends when it is stopped', async () => {
    expect(await run('tail', { json: true, last: '1' })).toMatchObject({
      code: 0,
      out: expect.stringContaining('"second"'),
    });
  });
});
