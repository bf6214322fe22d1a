import { copyFile, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { count, size } from '../../../.ci/test/support/proof.js';
import { currentAnchors, openAuditSink, verifyAudit, type ProblemKind } from '../src/index.js';
import { ManualClock } from '@toolwright/testing';
import { recordingLogger } from './recording-logger.js';
import { seededRandom } from './mutate-log.js';
import { sampleEvent } from './sample-event.js';
import { drawAttempt, isDetected, tamperingTargets, writeVariedLog } from './tampering.js';
import { readIds, temporaryLog } from './temporary-log.js';

/** How many changes of a log are tried. */
const CHANGES = 80 * size;

const log = temporaryLog();
const at = (name: string) => join(log.directory, name);

const kinds = async (): Promise<ProblemKind[]> => {
  const { problems } = await verifyAudit({ file: log.file });
  return [...new Set(problems.map(({ kind }) => kind))].sort();
};

describe.each([{ closed: true }, { closed: false }])('a log that was closed: $closed', ({ closed }) => {
  it('shows every random edit, deletion, reorder and truncation', async () => {
    await writeVariedLog(log.file, { closed });
    expect(await verifyAudit({ file: log.file })).toMatchObject({ ok: true, problems: [] });
    const random = seededRandom(closed ? 1 : 2);
    const targets = await tamperingTargets(log.directory);
    const missed: string[] = [];
    for (let at = 0; at < CHANGES; at += 1) {
      const attempt = drawAttempt(targets, random);
      if ((await isDetected(log.directory, attempt, random)) === false) {
        missed.push(`${at}: ${attempt.mutation.name} of ${attempt.target}`);
      }
    }
    count('changes', CHANGES);
    expect(missed).toEqual([]);
  });
});

describe('verify', () => {
  beforeEach(() => writeVariedLog(log.file, { closed: true }));

  it('notices that the last batches are missing', async () => {
    const lines = (await readFile(log.file, 'utf8')).split(/(?<=\n)/);
    const seals = lines.flatMap((line, index) => (line.startsWith('{"batch":') ? [index] : []));
    await writeFile(log.file, lines.slice(0, seals.at(-2)! + 1).join(''));
    expect(await kinds()).toEqual(['truncated']);
  });

  it('notices that the head is missing', async () => {
    await rm(at('audit.head'));
    expect(await kinds()).toEqual(['head']);
  });

  it('notices that the first file is missing', async () => {
    await rm(at('audit.000001.jsonl'));
    expect(await kinds()).toEqual(['missing-file']);
  });

  it('notices that the last file is missing', async () => {
    await rm(log.file);
    expect(await kinds()).toEqual(['truncated']);
  });

  it('notices that a file in the middle is missing', async () => {
    const sink = await openAuditSink({ file: log.file, rotate: { maxBytes: 1 } });
    for (let count = 0; count < 3; count += 1) await sink.write(sampleEvent(), 'strict');
    await sink.close();
    await rm(at('audit.000003.jsonl'));
    expect(await kinds()).toEqual(expect.arrayContaining(['broken-chain', 'missing-file']));
  });

  it('notices that two files were exchanged', async () => {
    await rename(at('audit.000001.jsonl'), at('x'));
    await rename(log.file, at('audit.000001.jsonl'));
    await rename(at('x'), log.file);
    expect((await verifyAudit({ file: log.file })).ok).toBe(false);
  });

  it('notices that the log was rewritten with valid hashes and another key', async () => {
    const { publicKey } = await import('node:crypto').then(({ generateKeyPairSync }) =>
      generateKeyPairSync('ed25519'),
    );
    const report = await verifyAudit({ file: log.file, publicKey });
    expect(report.trust).toBe('given');
    expect(report.problems.map(({ kind }) => kind)).toContain('head');
  });

  it('notices that log and head were restored to an earlier state, if it has a later statement', async () => {
    for (const name of await readdir(log.directory)) await copyFile(at(name), at(`old-${name}`));
    const sink = await openAuditSink({ file: log.file });
    await sink.write(sampleEvent(), 'strict');
    await sink.close();
    const anchors = await currentAnchors(log.file);
    expect((await verifyAudit({ file: log.file, anchors })).ok).toBe(true);

    for (const name of ['audit.jsonl', 'audit.head']) await copyFile(at(`old-${name}`), at(name));
    expect((await verifyAudit({ file: log.file })).ok).toBe(true);
    expect((await verifyAudit({ file: log.file, anchors })).problems).toEqual([
      expect.objectContaining({ kind: 'anchor' }),
    ]);
  });

  it('fails if there is not a log', async () => {
    await expect(verifyAudit({ file: at('other.jsonl') })).rejects.toMatchObject({
      code: 'TW_AUDIT_NOT_FOUND',
    });
  });
});

describe('a running server whose log somebody changes', () => {
  it.each([
    ['removes', () => rm(log.file)],
    ['renames, as logrotate does', () => rename(log.file, at('audit.jsonl.1'))],
    ['copies and empties, as logrotate does', () => truncate(log.file, 0)],
    [
      'replaces with another',
      async () => writeFile(at('x'), 'x'.repeat(9_000)).then(() => rename(at('x'), log.file)),
    ],
  ])('continues in a new file without losing a record, after somebody %s it', async (_what, tamper) => {
    const logger = recordingLogger();
    const clock = new ManualClock();
    const sink = await openAuditSink({ file: log.file, logger, clock });
    await sink.write(sampleEvent({ id: 'before' }), 'strict');
    await tamper();
    await expect(sink.write(sampleEvent({ id: 'during' }), 'strict')).rejects.toMatchObject({
      code: 'TW_AUDIT_UNAVAILABLE',
    });
    clock.advance(100);
    await sink.flush();
    await sink.write(sampleEvent({ id: 'after' }), 'strict');
    await sink.close();
    expect((await readIds(log.file)).slice(-2)).toEqual(['during', 'after']);
    expect(logger.lines.join()).toContain('removed, replaced or shortened');
    expect(await kinds()).toContain('found-damaged');
  });
});

describe('a server that opens a log that was changed', () => {
  beforeEach(() => writeVariedLog(log.file, { closed: true }));

  const reopen = async () => {
    const logger = recordingLogger();
    const sink = await openAuditSink({ file: log.file, logger });
    await sink.write(sampleEvent({ id: 'after' }), 'strict');
    await sink.close();
    return logger.lines;
  };

  it.each([
    [
      'cut its end',
      async () => writeFile(log.file, (await readFile(log.file)).subarray(0, -10)),
      ['truncated'],
    ],
    ['removed its head', async () => rm(at('audit.head')), []],
    ['removed its last file', async () => rm(log.file), []],
  ])('continues in a new file and reports what it found, after somebody %s', async (_what, tamper) => {
    await tamper();
    expect(await reopen()).toEqual([expect.stringContaining('damaged')]);
    expect(await kinds()).toContain('found-damaged');
    expect(await reopen()).toEqual([]);
  });

  it('does not accept batches that it did not write', async () => {
    const { sealBatch } = await import('../src/chain/seal.js');
    const { joinBatch } = await import('../src/chain/entries.js');
    const { HmacKey } = await import('../src/hmac-key.js');
    const head = JSON.parse((await readFile(at('audit.head'), 'utf8')).split('\n').sort().at(-1)!);
    const forged = sealBatch(joinBatch(['{"seq":999,"id":"forged"}\n'], []), head, {
      seq: head.seq + 1,
      key: new HmacKey(Buffer.alloc(32)),
    });
    await writeFile(log.file, forged.bytes, { flag: 'a' });
    await reopen();
    expect(await readFile(log.file, 'utf8')).not.toContain('forged');
    expect((await readdir(log.directory)).some((name) => name.includes('.torn-'))).toBe(true);
  });
});
