import { openAuditSink } from '@toolwright/audit';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemUser } from '@toolwright/core/operate';
import { type AuditEvent, type DataOwner, randomIds, systemClock } from '@toolwright/core/ports';
import { usageError } from '../command-error.js';
import type { SubjectFigure } from './subject-data.js';

/**
 * Records an erasure in the audit log of an app: that it begins, before anything is gone, and what it did. A tenant is named.
 * A person is not: the record has a keyed digest of issuer and subject, which an auditor who knows the two can compute.
 *
 * @throws when the log cannot be written; nothing is erased then
 */
export async function recordErasure<T extends { figures: SubjectFigure[]; failures: Error[] }>(
  owner: DataOwner,
  { file, cwd, key }: { file: string; cwd: string; key: string | undefined },
  erase: () => Promise<T>,
): Promise<T> {
  const path = resolve(cwd, file);
  if (!existsSync(path)) throw usageError(`There is no audit log ${file}, so nothing was erased.`);
  const sink = await openAuditSink({ file: path, ...(key !== undefined && { key }) });
  try {
    const callId = randomIds.uuid(systemClock.now());
    const write = (part: Pick<AuditEvent, 'event'> & Partial<AuditEvent>) => {
      const time = systemClock.now();
      return sink.write({ ...eventOf(owner), id: randomIds.uuid(time), callId, time, ...part }, 'strict');
    };
    await write({ event: 'intent' });
    const done = await erase();
    const erased = Object.fromEntries(done.figures.map(({ kind, records }) => [kind, records]));
    await write({
      event: 'outcome',
      outcome: done.failures.length === 0 ? 'ok' : 'error',
      loggable: { ...named(owner), erased },
    });
    return done;
  } finally {
    await sink.close();
  }
}

const named = (owner: DataOwner) => ('tenant' in owner ? { tenant: owner.tenant } : {});

const eventOf = (owner: DataOwner) => ({
  operation: 'operator' as const,
  name: 'tenant' in owner ? 'tenant.erase' : 'subject.erase',
  contract: '',
  annotations: {},
  principal: { subject: systemUser() },
  client: null,
  revision: '',
  arguments: 'tenant' in owner ? named(owner) : { issuer: owner.issuer ?? null, subject: owner.subject },
  loggable: named(owner),
});
