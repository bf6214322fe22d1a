import type { MaybePromise } from '../base/maybe-promise.js';
import type { ServerStores } from './server-stores.js';

/** Whom personal data is about: a person or a program, as its issuer names it. */
export interface DataSubject {
  /** `undefined` for callers whose authentication names no issuer. */
  readonly issuer: string | undefined;
  readonly subject: string;
}

/** What was found about a subject. */
export interface SubjectFindings {
  /** Plain JSON, without secrets: no key, token or session id. */
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** How many records nobody could read, so that it is not known whose they are. */
  readonly unreadable: number;
}

/** One kind of what a server keeps about subjects. */
export interface SubjectRecords {
  /** What it is, such as `api keys`. Exports have it as the name of a list. */
  readonly kind: string;
  find(subject: DataSubject): Promise<SubjectFindings>;
  /** @returns how many records are gone */
  erase(subject: DataSubject): Promise<number>;
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
  close?(): MaybePromise<void>;
}
