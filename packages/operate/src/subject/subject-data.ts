import type { DataOwner, SubjectFinding, SubjectRecords } from '@toolwright/core/ports';

/** How much there is of one kind. */
export interface SubjectFigure {
  readonly kind: string;
  readonly records: number;
  readonly unreadable: number;
}

/** All that the packages of an app have kept about subjects and tenants. */
export class SubjectData {
  /**
   * @param all each kind of record in each store
   * @param notes what people should know about where it was looked
   * @param beside what packages may have kept beside these records, and why nobody looks for it
   */
  constructor(
    private readonly all: readonly SubjectRecords[],
    readonly notes: readonly string[],
    private readonly beside: readonly string[],
    private readonly opened: readonly { close?(): unknown }[],
  ) {}

  /** The names of the kinds that can be found for this owner. */
  kindsOf(owner: DataOwner): readonly string[] {
    return [...new Set(this.#of(owner).map(({ kind }) => kind))];
  }

  /** What was not looked for, and why. */
  unsearchedFor(owner: DataOwner): readonly string[] {
    const kinds = 'tenant' in owner ? this.all.filter(({ noTenants }) => noTenants !== undefined) : [];
    return [...new Set([...kinds.map(({ kind, noTenants }) => `${kind}: ${noTenants}`), ...this.beside])];
  }

  /** Yields the records of one kind; `undefined` for each that nobody could read. */
  async *find(kind: string, owner: DataOwner): AsyncGenerator<SubjectFinding | undefined> {
    for (const records of this.#of(owner)) if (records.kind === kind) yield* records.find(owner);
  }

  async count(owner: DataOwner): Promise<SubjectFigure[]> {
    const figures: SubjectFigure[] = [];
    for (const kind of this.kindsOf(owner)) {
      let [records, unreadable] = [0, 0];
      for await (const found of this.find(kind, owner)) {
        if (found) records++;
        else unreadable++;
      }
      figures.push({ kind, records, unreadable });
    }
    return figures;
  }

  /** Erases every kind, also when one of them fails. @returns how many records are gone, and what failed */
  async erase(owner: DataOwner): Promise<{ figures: SubjectFigure[]; failures: Error[] }> {
    const erased = new Map<string, number>();
    const failures: Error[] = [];
    for (const kind of this.#of(owner))
      try {
        const count = await kind.erase(owner);
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

  #of(owner: DataOwner): readonly SubjectRecords[] {
    return 'tenant' in owner ? this.all.filter(({ noTenants }) => noTenants === undefined) : this.all;
  }
}
