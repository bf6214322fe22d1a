import type { DataSubject, SubjectRecords } from '@toolwright/core/ports';

/** How much there is of one kind. */
export interface SubjectFigure {
  readonly kind: string;
  readonly records: number;
  readonly unreadable: number;
}

/** What an app has kept about a subject. */
export interface SubjectExport {
  readonly subject: { readonly issuer: string | null; readonly subject: string };
  readonly exportedAt: string;
  readonly records: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  /** How many records of a kind could not be read. */
  readonly unreadable: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
}

/** All that the packages of an app have kept about subjects. */
export class SubjectData {
  constructor(
    private readonly kinds: readonly SubjectRecords[],
    readonly notes: readonly string[],
    private readonly opened: readonly { close?(): unknown }[],
  ) {}

  async export(subject: DataSubject, now: Date): Promise<SubjectExport> {
    const records: Record<string, Readonly<Record<string, unknown>>[]> = {};
    const unreadable: Record<string, number> = {};
    for (const kind of this.kinds) {
      const found = await kind.find(subject);
      (records[kind.kind] ??= []).push(...found.records);
      if (found.unreadable > 0) unreadable[kind.kind] = (unreadable[kind.kind] ?? 0) + found.unreadable;
    }
    const { issuer = null, subject: name } = subject;
    return {
      subject: { issuer, subject: name },
      exportedAt: now.toISOString(),
      records,
      unreadable,
      notes: this.notes,
    };
  }

  async count(subject: DataSubject): Promise<SubjectFigure[]> {
    const { records, unreadable } = await this.export(subject, new Date());
    return Object.entries(records).map(([kind, found]) => ({
      kind,
      records: found.length,
      unreadable: unreadable[kind] ?? 0,
    }));
  }

  /** Erases every kind, also when one of them fails. @returns how many records are gone, and what failed */
  async erase(subject: DataSubject): Promise<{ figures: SubjectFigure[]; failures: Error[] }> {
    const erased = new Map<string, number>();
    const failures: Error[] = [];
    for (const kind of this.kinds)
      try {
        const count = await kind.erase(subject);
        erased.set(kind.kind, (erased.get(kind.kind) ?? 0) + count);
      } catch (error) {
        failures.push(new Error(`${kind.kind}: ${(error as Error).message}`));
      }
    const figures = [...erased].map(([kind, records]) => ({ kind, records, unreadable: 0 }));
    return { figures, failures };
  }

  async close(): Promise<void> {
    // Stores close before the database that was opened for them.
    for (const each of [...this.opened].reverse()) await each.close?.();
  }
}
