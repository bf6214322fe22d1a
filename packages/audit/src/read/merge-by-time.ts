import type { AuditRecord } from '../record.js';

/** Merges the records of several writers by time. The order within each writer stays. */
export async function* mergeByTime(
  sources: readonly AsyncGenerator<AuditRecord>[],
): AsyncGenerator<AuditRecord> {
  const heads = new Map<AsyncGenerator<AuditRecord>, AuditRecord>();
  const advance = async (source: AsyncGenerator<AuditRecord>): Promise<void> => {
    const next = await source.next();
    if (next.done) heads.delete(source);
    else heads.set(source, next.value);
  };
  try {
    for (const source of sources) await advance(source);
    while (heads.size > 0) {
      const [source, record] = [...heads].reduce((a, b) => (b[1].time < a[1].time ? b : a));
      yield record;
      await advance(source);
    }
  } finally {
    for (const source of sources) await source.return(undefined);
  }
}
