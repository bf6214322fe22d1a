import type { MaybePromise } from '../base/maybe-promise.js';
import type { ServerStores } from './server-stores.js';

/** Whom personal data is about: a person or a program, as its issuer names it. */
export interface DataSubject {
  /** `undefined` for callers whose authentication names no issuer. */
  readonly issuer: string | undefined;
  readonly subject: string;
}

/** Whose data it is. */
export type DataOwner = DataSubject | { readonly tenant: string };

/** Plain JSON, without secrets: no key, token or session id. */
export type SubjectFinding = Readonly<Record<string, unknown>>;

/** One kind of what a server keeps for people, programs and tenants. */
export interface SubjectRecords {
  /** What it is, such as `api keys`. Exports have it as the name of a list. */
  readonly kind: string;
  /** Why these records cannot be found by tenant. Without it, they can. */
  readonly noTenants?: string;
  /**
   * Yields each record of the owner, and `undefined` for each one that nobody could read, so that it is not known whose
   * it is. A tenant may have more records than memory holds, so they come one after the other.
   */
  find(owner: DataOwner): AsyncIterable<SubjectFinding | undefined>;
  /** @returns how many records are gone */
  erase(owner: DataOwner): Promise<number>;
}

/** Where a package finds what it has kept. */
export interface SubjectPlace {
  /** The stores of the app, open. What one of them lacks, another may have. */
  readonly stores: readonly ServerStores[];
  /** The secrets of the server, with which it seals. */
  readonly secrets: readonly string[];
  /** The address of the PostgreSQL of the app, if it has one. */
  readonly database: string | undefined;
  /** The schema of the records of tasks. */
  readonly taskSchema: string | undefined;
  /** The name of the server. What a task says is sealed for it, so without the name it is left out. */
  readonly server: string | undefined;
  /** The issuer of the app's own authorization proxy, if it has one. */
  readonly proxy: string | undefined;
}

/** What a package exports as `subjectSource`, so that operators find all that it has kept about a subject. */
export interface SubjectSource {
  open(place: SubjectPlace): MaybePromise<OpenSubjectSource>;
}

export interface OpenSubjectSource {
  readonly records: readonly SubjectRecords[];
  /** What the package may have kept beside these records, and why it is not found. People read it. */
  readonly unsearched?: readonly string[];
  close?(): MaybePromise<void>;
}
