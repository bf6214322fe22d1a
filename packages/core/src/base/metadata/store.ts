import 'reflect-metadata';
import type { AnyOptionSchema } from '../options/option-schema.js';
import type { CallSite } from './call-site.js';
import { isSamePlace, type Place } from './place-record.js';
import { symbolMetadata } from './symbol-metadata.js';

/** What a record is about; one per decorator of the framework, `policy` for all policies. */
export type RecordKind =
  | 'service'
  | 'injectable'
  | 'tool'
  | 'prompt'
  | 'resource'
  | 'resourceTemplate'
  | 'app'
  | 'policy'
  | 'schema'
  | 'argument'
  | 'inject'
  | 'completion';

/** What one decorator left behind. Never changed afterwards; options are the author's own object. */
export interface DecoratorRecord<T = unknown> {
  readonly kind: RecordKind;
  /** Name of the policy; empty for the other kinds. */
  readonly name: string;
  readonly place: Place;
  readonly options: T;
  readonly site: CallSite;
  /** What the options may be. Policies check theirs themselves. */
  readonly schema?: AnyOptionSchema | undefined;
  /** For policies that add up instead of replacing each other: the outer (class, server) options come first. */
  combine?(outer: T, inner: T): T;
}

/** A class as a value, abstract or not. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- decorators are typed with Function
export type AnyClass = Function & { readonly prototype: object };

// Registered symbol: records are found again when two copies of this package meet in one process.
const RECORDS = Symbol.for('toolwright.records');

/**
 * Leaves a record on a class.
 *
 * @param holder the class, or the `context.metadata` of a standard decorator, which becomes the class's metadata
 */
export function addRecord(holder: object, record: DecoratorRecord): void {
  let records = recent.get(holder);
  if (!records) {
    records = (Reflect.getOwnMetadata(RECORDS, holder) as DecoratorRecord[] | undefined) ?? [];
    Reflect.defineMetadata(RECORDS, records, holder);
    recent.set(holder, records);
  }
  records.push(record);
}

/** The arrays in the metadata, sooner found: a class may have hundreds of decorators. */
const recent = new WeakMap<object, DecoratorRecord[]>();

/** The records left on this very class, not on its bases, in the order in which they were written. */
export function ownRecords(target: AnyClass): readonly DecoratorRecord[] {
  const metadata = Object.getOwnPropertyDescriptor(target, symbolMetadata)?.value as
    object | undefined | null;
  return metadata ? [...recordsOf(metadata), ...recordsOf(target)] : recordsOf(target);
}

const NONE: readonly DecoratorRecord[] = [];
const inOrder = new WeakMap<object, readonly DecoratorRecord[]>();

/** Asked for several times at boot; sorted again only when a decorator has run since. */
function recordsOf(holder: object): readonly DecoratorRecord[] {
  const records = Reflect.getOwnMetadata(RECORDS, holder) as readonly DecoratorRecord[] | undefined;
  if (!records) return NONE;
  const known = inOrder.get(records);
  if (known?.length === records.length) return known;
  const sorted = firstFirst(records);
  inOrder.set(records, sorted);
  return sorted;
}

/** Decorators of one place run one after the other, from the last to the first; this puts the first first again. */
function firstFirst(written: readonly DecoratorRecord[]): DecoratorRecord[] {
  const ordered: DecoratorRecord[] = [];
  for (let first = 0; first < written.length; first = ordered.length) {
    const { place } = written[first]!;
    let next = first + 1;
    while (next < written.length && isSamePlace(written[next]!.place, place)) next++;
    for (let index = next - 1; index >= first; index--) ordered.push(written[index]!);
  }
  return ordered;
}
