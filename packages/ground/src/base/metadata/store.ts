import 'reflect-metadata';
import type { OperationKind } from '../operation-kinds.js';
import type { AnyOptionSchema } from '../options/option-schema.js';
import type { CallSite } from './call-site.js';

/** What a record is about. Each decorator of the framework has a kind; all policies share `policy`. */
export type RecordKind =
  | 'service'
  | 'injectable'
  | OperationKind
  | 'app'
  | 'policy'
  | 'schema'
  | 'argument'
  | 'inject'
  | 'injections'
  | 'completion'
  | 'background';

/** What one decorator recorded. It is never changed afterwards. The options are the author's own object. */
export interface DecoratorRecord<T = unknown> {
  readonly kind: RecordKind;
  /** The name of the policy, or of the decorator of a background method; empty for the other kinds. */
  readonly name: string;
  readonly place: DecoratorPlace;
  readonly options: T;
  readonly site: CallSite;
  /** The rules for the options. Policies check theirs themselves. */
  readonly schema?: AnyOptionSchema | undefined;
  /** The extension of the package whose decorator it is. Policies have theirs in their definition. */
  readonly extension?: { readonly name: string } | undefined;
  /**
   * Combines the options of policies that add up instead of replacing each other. The outer options (class,
   * server) come first.
   */
  combine?(outer: T, inner: T): T;
}

/** A class as a value, abstract or not. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- decorators are typed with Function
export type AnyClass = Function & { readonly prototype: object };

// A registered symbol, so that records are found even when a process has two copies of this package.
const RECORDS = Symbol.for('toolwright.records');

/**
 * Adds a record to a class.
 *
 * @param holder the class, or the `context.metadata` of a standard decorator, which becomes the class's
 *   metadata
 */
export function addRecord(holder: object, record: DecoratorRecord): void {
  let records = recent.get(holder);
  if (!records) {
    records = (Reflect.getOwnMetadata(RECORDS, holder) as DecoratorRecord[] | undefined) ?? [];
    Reflect.defineMetadata(RECORDS, records, holder);
    recent.set(holder, records);
    // A bundle has no modules in which the container could look for the class.
    if (typeof holder === 'function') references().push(new WeakRef(holder as AnyClass));
  }
  records.push(record);
  if (record.kind === 'service' && typeof holder === 'function') services.set(holder.name, record.site);
}

/** A faster way to the arrays in the metadata, because a class may have hundreds of decorators. */
const recent = new WeakMap<object, DecoratorRecord[]>();

/** The records on this very class (not those of its bases), in the order in which they were written. */
export function ownRecords(target: AnyClass): readonly DecoratorRecord[] {
  const metadata = Object.getOwnPropertyDescriptor(target, symbolMetadata)?.value as
    object | undefined | null;
  return metadata ? [...recordsOf(metadata), ...recordsOf(target)] : recordsOf(target);
}

const NONE: readonly DecoratorRecord[] = [];
const inOrder = new WeakMap<object, readonly DecoratorRecord[]>();

/** The records are read several times at boot. They are sorted again only when a decorator has run since. */
function recordsOf(holder: object): readonly DecoratorRecord[] {
  const records = Reflect.getOwnMetadata(RECORDS, holder) as readonly DecoratorRecord[] | undefined;
  if (!records) return NONE;
  const known = inOrder.get(records);
  if (known?.length === records.length) return known;
  const sorted = firstFirst(records);
  inOrder.set(records, sorted);
  return sorted;
}

/** The decorators of one place run from the last to the first. This restores the written order. */
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

// A registered symbol, so that classes are found even when a process has two copies of this package.
const CLASSES = Symbol.for('toolwright.classes');

/** Weak, because development servers and tests load the same module again and drop the old one. */
function references(): WeakRef<AnyClass>[] {
  return ((globalThis as { [CLASSES]?: WeakRef<AnyClass>[] })[CLASSES] ??= []);
}

const services = new Map<string, CallSite>();

/**
 * Where `@McpService` is at the newest class of a name. A class decorator may have returned another class, and then nothing
 * else keeps what is known of the first one.
 */
export function serviceSite(name: string): CallSite | undefined {
  return services.get(name);
}

/** Every decorated class that is still in use, the newest first. */
export function decoratedClasses(): AnyClass[] {
  return references()
    .map((reference) => reference.deref())
    .filter((each) => each !== undefined)
    .reverse();
}

/** Grows with every decorated class. It tells whether an earlier answer may be out of date. */
export function decoratedCount(): number {
  return references().length;
}

/** A decorator on the class itself. */
interface ClassPlace {
  readonly on: 'class';
}

interface MethodPlace {
  readonly on: 'method';
  readonly method: string;
  readonly static: boolean;
}

interface ParameterPlace {
  readonly on: 'parameter';
  /** Undefined for a parameter of the constructor. */
  readonly method: string | undefined;
  readonly static: boolean;
  readonly index: number;
}

/** The part of a class that a decorator belongs to. It is the same for legacy and standard decorators. */
export type DecoratorPlace = ClassPlace | MethodPlace | ParameterPlace;

/** Whether two places of one class are the same. */
export function isSamePlace(one: DecoratorPlace, other: DecoratorPlace): boolean {
  if (one.on === 'class' || other.on === 'class') return one.on === other.on;
  return one.method === other.method && one.static === other.static && indexOf(one) === indexOf(other);
}

function indexOf(place: MethodPlace | ParameterPlace): number | undefined {
  return place.on === 'parameter' ? place.index : undefined;
}

/**
 * `Symbol.metadata`, defined here if the engine lacks it (all of Node 20). Compilers pass `context.metadata`
 * to standard decorators only if the symbol exists when a class is defined. It exists as soon as core is
 * imported.
 */
const symbolMetadata: symbol = ((Symbol as { metadata?: symbol }).metadata ??= Symbol.for('Symbol.metadata'));

/**
 * The effective policies of a method. A policy of the method replaces that of the class. If a policy
 * combines, the part of the class is outside the part of the method.
 */
export function mergePolicies(
  classRecords: readonly DecoratorRecord[],
  methodRecords: readonly DecoratorRecord[],
): PolicyMap {
  if (!hasPolicies(classRecords, methodRecords)) return NO_POLICIES;
  const policies = new Map<string, PolicyEntry>();
  apply(policies, classRecords, 'class');
  apply(policies, methodRecords, 'method');
  return policies;
}

const NO_POLICIES: PolicyMap = new Map();

/** False for most methods, so their records need not be searched. */
export function hasPolicies(
  classRecords: readonly DecoratorRecord[],
  methodRecords: readonly DecoratorRecord[],
): boolean {
  return classRecords.some(isPolicy) || methodRecords.some(isPolicy);
}

function isPolicy({ kind }: DecoratorRecord): boolean {
  return kind === 'policy';
}

function apply(
  policies: Map<string, PolicyEntry>,
  records: readonly DecoratorRecord[],
  origin: PolicyOrigin,
): void {
  for (const { kind, name, options, combine } of records) {
    if (kind !== 'policy') continue;
    const outer = policies.get(name);
    policies.set(name, { options: outer && combine ? combine(outer.options, options) : options, origin });
  }
}

/** The place of an effective policy. */
export type PolicyOrigin = 'method' | 'class' | 'server';

export interface PolicyEntry<Options = unknown> {
  readonly options: Options;
  readonly origin: PolicyOrigin;
}

/** The effective policies of one operation, by the name of the policy. */
export type PolicyMap = ReadonlyMap<string, PolicyEntry>;
