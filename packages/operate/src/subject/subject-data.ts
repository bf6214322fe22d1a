import type { DataOwner, SubjectFinding, SubjectRecords } from '@toolwright/core/ports';

/** How much there is of one kind. */
export interface SubjectFigure {
  readonly kind: string;
  readonly records: number;
  readonly unreadable: number;
}

/** Where it was looked, and where not. People read these. */
export interface SubjectLook {
  /** What people should know about where it was looked. */
  readonly notes: readonly string[];
  /** What packages may have kept beside these records, and why nobody looks for it. */
  readonly beside: readonly string[];
  readonly unopened: readonly string[];
}

/** All that the packages of an app have kept about subjects and tenants. */
export class SubjectData {
  /** @param all each kind of record in each store */
  constructor(
    private readonly all: readonly SubjectRecords[],
    private readonly look: SubjectLook,
    private readonly opened: readonly { close?(): unknown }[],
  ) {}

  get notes(): readonly string[] {
    return this.look.notes;
  }

  /** The packages that could not be asked, and why. What they keep is neither exported nor erased. */
  get unopened(): readonly string[] {
    return this.look.unopened;
  }

  /** The names of the kinds that can be found for this owner. */
  kindsOf(owner: DataOwner): readonly string[] {
    return [...new Set(this.#of(owner).map(({ kind }) => kind))];
  }

  /** What was not looked for, and why. */
  unsearchedFor(owner: DataOwner): readonly string[] {
    const kinds = 'tenant' in owner ? this.all.filter(({ noTenants }) => noTenants !== undefined) : [];
    return [
      ...new Set([
        ...this.unopened,
        ...kinds.map(({ kind, noTenants }) => `${kind}: ${noTenants}`),
        ...this.look.beside,
      ]),
    ];
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
