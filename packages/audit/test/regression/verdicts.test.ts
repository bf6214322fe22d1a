import { generateKeyPairSync } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { auditCommands, openAuditSink, queryAudit, verifyAudit } from '../../src/index.js';
import { hashOfSeal, parseSeal } from '../../src/chain/seal.js';
import { sampleEvent } from '../sample-event.js';
import { temporaryLog } from '../temporary-log.js';

const log = temporaryLog();
let key: string;

const write = async (file: string, events: number, signingKey?: string) => {
  const sink = await openAuditSink({ file, ...(signingKey && { signingKey }) });
  for (let index = 0; index < events; index++) await sink.write(sampleEvent({ id: `r${index}` }), 'strict');
  await sink.close();
};

const run = async (name: string, values: Record<string, string> = {}) => {
  let [out, err] = ['', ''];
  const command = auditCommands.find((each) => each.name === name)!;
  const console = {
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
    interactive: false,
    signal: AbortSignal.abort(),
  };
  return { code: await command.run(log.file, values, console), out, err };
};

beforeEach(async () => {
  await write(log.file, 3);
  await mkdir(join(log.directory, 'elsewhere'));
  key = join(log.directory, 'elsewhere', 'key.pem');
  await copyFile(join(log.directory, 'audit.pub.pem'), key);
});

/**
 * What somebody with write access to the folder can do: write another log, sign it with a new key, and add
 * this key to the keys.
 */
async function forge(): Promise<void> {
  const known = await readFile(join(log.directory, 'audit.pub.pem'), 'utf8');
  for (const name of ['audit.jsonl', 'audit.head', 'audit.keys.json']) await rm(join(log.directory, name));
  const { privateKey } = generateKeyPairSync('ed25519');
  await write(log.file, 2, privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
  const added = await readFile(join(log.directory, 'audit.pub.pem'), 'utf8');
  await writeFile(join(log.directory, 'audit.pub.pem'), known + added);
}

describe('somebody with write access to the folder of a log', () => {
  test('cannot make a log genuine: without a key from another place it is only consistent, with its own exit code', async () => {
    await forge();
    expect(await verifyAudit({ file: log.file })).toMatchObject({
      verdict: 'consistent',
      trust: 'beside the log',
    });
    const { code, out } = await run('verify');
    expect(code).toBe(3);
    expect(out).toMatch(/^CONSISTENT WITH ITSELF: 2 records[\s\S]*--public-key/);
  });

  test('is found out with a key from another place', async () => {
    await forge();
    expect(await verifyAudit({ file: log.file, publicKey: await readFile(key, 'utf8') })).toMatchObject({
      verdict: 'broken',
      ok: false,
    });
    expect((await run('verify', { publicKey: key })).code).toBe(1);
  });

  test('gains nothing if the given key is in that folder', async () => {
    await forge();
    expect((await run('verify', { publicKey: join(log.directory, 'audit.pub.pem') })).code).toBe(3);
  });

  test('cannot add sealed batches behind the signed end', async () => {
    const lines = (await readFile(log.file, 'utf8')).split('\n').slice(0, -1);
    const last = parseSeal(`${lines.at(-1)!}\n`)!;
    const entry = `{"seq":${last.seq + 1},"id":"forged","time":1}\n`;
    const draft = { ...last, batch: last.batch + 1, lines: 1, seq: last.seq + 1, prev: last.hash };
    const unsealed = `${JSON.stringify({ ...draft, hash: '0'.repeat(64) })}\n`;
    const hash = hashOfSeal(Buffer.from(entry), unsealed);
    await writeFile(log.file, `${lines.join('\n')}\n${entry}${JSON.stringify({ ...draft, hash })}\n`);
    const report = await verifyAudit({ file: log.file, publicKey: await readFile(key, 'utf8') });
    expect(report.problems.map(({ kind, message }) => [kind, message])).toEqual([
      ['head', '1 batches follow the last one that the head states'],
    ]);
  });
});

test('checkpoints are no head, because no two of them sign consecutive batches', async () => {
  const sink = await openAuditSink({ file: log.file });
  for (let batch = 0; batch < 5; batch++) {
    const events = Array.from({ length: 1_500 }, (_, index) => sampleEvent({ id: `b${batch}r${index}` }));
    for (const event of events) await sink.write(event, 'buffered');
    await sink.flush();
  }
  await sink.close();
  const vouched = [...(await readFile(log.file, 'utf8')).matchAll(/^\{"checkpoint":.*?"batch":(\d+)/gm)];
  const batches = vouched.map(([, batch]) => Number(batch));
  expect(batches.length).toBeGreaterThan(1);
  batches.slice(1).forEach((batch, index) => expect(batch - batches[index]!).toBeGreaterThan(1));
  expect((await run('verify', { publicKey: key })).code).toBe(0);
});

test('an unchanged log is genuine with its key from another place', async () => {
  expect(await run('verify', { publicKey: key })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^OK: 3/),
  });
});

test('a text that is not a key is refused', async () => {
  await expect(verifyAudit({ file: log.file, publicKey: 'ssh-ed25519 AAAA' })).rejects.toMatchObject({
    code: 'TW_AUDIT_OPTIONS',
  });
});

describe('the numbers of records', () => {
  /** The owner of the key can seal anything, so hashes and signatures do not show this change. */
  const renumber = async (from: number, to: string) => {
    const lines = (await readFile(log.file, 'utf8')).split('\n').slice(0, -1);
    const changed: string[] = [];
    let entries = '';
    let prev: string | undefined;
    for (const line of lines) {
      const seal = parseSeal(`${line}\n`);
      if (!seal) {
        const text = line.replace(`{"seq":${from},`, `{"seq":${to},`);
        changed.push(text);
        entries += `${text}\n`;
        continue;
      }
      const draft = { ...seal, prev: prev ?? seal.prev };
      const hash = hashOfSeal(Buffer.from(entries), `${JSON.stringify(draft)}\n`);
      changed.push(JSON.stringify({ ...draft, hash }));
      [entries, prev] = ['', hash];
    }
    await writeFile(log.file, `${changed.join('\n')}\n`);
  };

  test.each([
    ['a gap', 3, '4'],
    ['a repetition', 3, '2'],
    ['a text', 2, '"2"'],
  ])('are verified: %s', async (_, from, to) => {
    await renumber(from, to);
    const { problems } = await verifyAudit({ file: log.file });
    expect(problems.filter(({ kind }) => kind === 'sequence')).toHaveLength(1);
    expect(problems.filter(({ kind }) => kind === 'changed')).toEqual([]);
  });

  test.each(['query', 'export', 'tail'])(
    'are checked by %s, which reports the problem and exits with 1',
    async (name) => {
      await renumber(3, '7');
      const { code, err } = await run(name);
      expect(code).toBe(1);
      expect(err).toMatch(/The log is broken: .* the number 3 has another/);
    },
  );
});

test.each(['query', 'export', 'tail'])('%s reports a changed record', async (name) => {
  await writeFile(log.file, (await readFile(log.file, 'utf8')).replace('"r1"', '"x1"'));
  expect(await run(name)).toMatchObject({ code: 1, err: expect.stringContaining('does not match its hash') });
  const heard: string[] = [];
  for await (const _ of queryAudit({ file: log.file, onBroken: (message) => heard.push(message) }));
  expect(heard).toHaveLength(1);
});
