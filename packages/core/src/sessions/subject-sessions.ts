import type { ServerStores } from '../ports/server-stores.js';
import type { DataSubject, SubjectRecords, SubjectSource } from '../ports/subject-records.js';
import { claimOf } from './shared-sessions.js';
import { subjectDigest } from './session-id.js';

/** An id is accepted for a day by default. An end that is remembered longer does no harm. */
const REMEMBERED_MS = 40 * 86_400_000;

/**
 * The sessions of a subject, as far as stores know them: those whose client has set a log level or has subscribed to
 * something. The others are only in the memory of their process.
 */
function sessionsIn({ sessions, claims, endedSessions = claims, events }: ServerStores): SubjectRecords {
  const keysOf = async ({ issuer, subject }: DataSubject): Promise<readonly string[]> =>
    (await sessions?.ofOwner?.(subjectDigest({ issuer, subject }))) ?? [];
  return {
    kind: 'sessions',
    async find(subject) {
      const keys = await keysOf(subject);
      const found = await Promise.all(keys.map(async (key) => ({ key, record: await sessions!.get(key) })));
      const records = found.flatMap(({ key, record }) =>
        record ? [{ session: key, logLevel: record.logLevel, subscriptions: record.subscriptions }] : [],
      );
      return { records, unreadable: 0 };
    },
    async erase(subject) {
      const keys = await keysOf(subject);
      for (const key of keys) {
        // First the end: a process that serves the session would write its record again.
        await endedSessions?.claim(claimOf(key), REMEMBERED_MS);
        await events?.drop(key);
        await sessions!.delete(key);
      }
      return keys.length;
    },
  };
}

/** What core keeps about subjects in stores. */
export const subjectSource: SubjectSource = {
  open: ({ stores }) => ({ records: stores.filter(({ sessions }) => sessions?.ofOwner).map(sessionsIn) }),
};
