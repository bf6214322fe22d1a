import type { Era, Revision } from '@toolwright/ground/base/request-context';
import { methodRecord, MethodNames } from './methods.js';
import type { RevisionRecord } from './revision-record.js';
import { revision20241105 } from './revisions/2024-11-05.js';
import { revision20250326 } from './revisions/2025-03-26.js';
import { revision20250618 } from './revisions/2025-06-18.js';
import { revision20251125 } from './revisions/2025-11-25.js';
import { revision20260728 } from './revisions/2026-07-28.js';

/** The revisions that one server speaks. Versions are dates, so they sort by age as text. */
export class Revisions {
  /**
   * The revisions that start with `initialize`, newest first. The first one is offered to a client that asks
   * for an unknown one.
   */
  readonly stateful: readonly Revision[];
  /** The revisions whose requests carry their own envelope, newest first. */
  readonly stateless: readonly Revision[];
  readonly #records: ReadonlyMap<string, RevisionRecord>;
  readonly #firstStateless: string;

  constructor(records: readonly RevisionRecord[]) {
    this.#records = new Map(records.map((record) => [record.version, record]));
    this.stateful = newestFirst(records, 'stateful');
    this.stateless = newestFirst(records, 'stateless');
    this.#firstStateless = this.stateless.at(-1) ?? '\uffff';
  }

  find(version: string): RevisionRecord | undefined {
    return this.#records.get(version);
  }

  isStateless(version: string): version is Revision {
    return this.find(version)?.era === 'stateless';
  }

  /**
   * True for every version from the first stateless one on. A version that is not served is refused later.
   */
  looksStateless(version: string | undefined): boolean {
    return version !== undefined && version >= this.#firstStateless;
  }
}

function newestFirst(records: readonly RevisionRecord[], wanted: Era): readonly Revision[] {
  return records
    .filter(({ era }) => era === wanted)
    .map(({ version }) => version)
    .sort()
    .reverse();
}

/** Every revision that servers speak, in any order. A revision is a line here, and a file in `wire/revisions/`. */
export const servedRevisions: readonly RevisionRecord[] = [
  revision20241105,
  revision20250326,
  revision20250618,
  revision20251125,
  revision20260728,
];

/** The versions of all revisions that servers speak, oldest first. */
export const revisions: readonly Revision[] = servedRevisions.map(({ version }) => version).sort();

/** The newest of them. */
export const latestRevision: RevisionRecord = servedRevisions.reduce((newest, record) =>
  record.version > newest.version ? record : newest,
);

/** What a revision calls otherwise; `undefined` for one that renames nothing, and for an unknown one. */
export function namesOf(version: string | undefined): MethodNames | undefined {
  const renamed = servedRevisions.find((record) => record.version === version)?.renamed;
  return renamed && new MethodNames(renamed);
}

/** True for a method that the protocol has in some revision, under any name. */
export function isOwnMethod(name: string): boolean {
  const others = servedRevisions.flatMap(({ renamed = {} }) => Object.values(renamed));
  return methodRecord(name) !== undefined || others.some((method) => method.name === name);
}
