import { ownRecords, type AnyClass, type DecoratorRecord, type RecordKind } from './store.js';

/** Everything that decorators said about one method of a class, its bases included. */
export interface MethodRecords {
  readonly method: string;
  readonly static: boolean;
  /** On the method itself. */
  readonly records: readonly DecoratorRecord[];
  /** On its parameters, by index. */
  readonly parameters: ReadonlyMap<number, readonly DecoratorRecord[]>;
}

/** Everything that decorators said about one class, its bases included. */
export interface ClassRecords {
  readonly target: AnyClass;
  readonly records: readonly DecoratorRecord[];
  /** Base-class methods first, then in the order of writing. */
  readonly methods: readonly MethodRecords[];
  /** On constructor parameters of the class that declares the constructor, by index. */
  readonly constructorParameters: ReadonlyMap<number, readonly DecoratorRecord[]>;
}

/**
 * Collects the own records of a class and of its bases. What a derived class says of a class, method or parameter
 * replaces what its base said of the same thing with the same kind of decorator, and adds to the rest: an overriding
 * method without decorators stays a tool, and keeps its scopes and limits. Losing a guard by overriding would be worse
 * than keeping one too many.
 */
export function collectRecords(target: AnyClass): ClassRecords {
  const classes = lineage(target);
  const all = classes.map(ownRecords);
  // Asked for by everybody who looks at a class at boot; an array is a new one once a decorator has run since.
  const known = collected.get(target);
  if (known && known.all.every((own, index) => own === all[index])) return known.records;
  const records = combine(target, classes, all);
  collected.set(target, { all, records });
  return records;
}

type OwnRecords = readonly DecoratorRecord[];
const collected = new WeakMap<AnyClass, { all: readonly OwnRecords[]; records: ClassRecords }>();

function combine(target: AnyClass, classes: readonly AnyClass[], all: readonly OwnRecords[]): ClassRecords {
  return {
    target,
    records: all
      .map((own) => own.filter(({ place }) => place.on === 'class'))
      .reduce<OwnRecords>(override, []),
    methods: [...all.map(membersOf).reduce(overrideMembers).values()].map((member) => ({
      ...member,
      parameters: byIndex(member.parameters),
    })),
    constructorParameters: byIndex(constructorRecords(classes)),
  };
}

/** The record of one kind among some, if any. */
export function findRecord<T>(
  records: readonly DecoratorRecord[],
  kind: RecordKind,
): DecoratorRecord<T> | undefined {
  return records.find((record) => record.kind === kind) as DecoratorRecord<T> | undefined;
}

/** The class and its bases, the most basic first. */
export function lineage(target: AnyClass): AnyClass[] {
  const classes: AnyClass[] = [];
  for (let each: unknown = target; isClass(each); each = Object.getPrototypeOf(each)) classes.unshift(each);
  return classes;
}

function isClass(value: unknown): value is AnyClass {
  return typeof value === 'function' && value !== Function.prototype;
}

function override(base: OwnRecords, derived: OwnRecords): OwnRecords {
  if (base.length === 0) return derived;
  const said = new Set(derived.map(slot));
  return [...base.filter((record) => record.combine || !said.has(slot(record))), ...derived];
}

/** Two records in the same slot say the same kind of thing about the same place. */
function slot({ kind, name, place }: DecoratorRecord): string {
  return `${kind} ${name} ${place.on === 'parameter' ? place.index : ''}`;
}

/** The records of a method and of its parameters. */
interface Member {
  method: string;
  static: boolean;
  records: OwnRecords;
  parameters: OwnRecords;
}

/** Sorted once: a class may have hundreds of methods. */
function membersOf(records: OwnRecords): Map<string, Member> {
  const members = new Map<string, Member & Record<'records' | 'parameters', DecoratorRecord[]>>();
  for (const record of records) {
    const { place } = record;
    if (place.on === 'class' || place.method === undefined) continue;
    const key = `${place.static} ${place.method}`;
    let member = members.get(key);
    if (!member) {
      member = { method: place.method, static: place.static, records: [], parameters: [] };
      members.set(key, member);
    }
    member[place.on === 'method' ? 'records' : 'parameters'].push(record);
  }
  return members;
}

function overrideMembers(base: Map<string, Member>, derived: Map<string, Member>): Map<string, Member> {
  for (const [key, { records, parameters, ...name }] of derived) {
    const known = base.get(key);
    base.set(key, {
      ...name,
      records: override(known?.records ?? [], records),
      parameters: override(known?.parameters ?? [], parameters),
    });
  }
  return base;
}

/** Of the nearest class that declares any: positions of a base's constructor mean nothing to a derived one. */
function constructorRecords(classes: readonly AnyClass[]): readonly DecoratorRecord[] {
  const own = classes.map((each) =>
    ownRecords(each).filter(({ place }) => place.on === 'parameter' && place.method === undefined),
  );
  return own.findLast((records) => records.length > 0) ?? [];
}

const NO_PARAMETERS: ReadonlyMap<number, readonly DecoratorRecord[]> = new Map();

function byIndex(records: readonly DecoratorRecord[]): ReadonlyMap<number, readonly DecoratorRecord[]> {
  if (records.length === 0) return NO_PARAMETERS;
  const parameters = new Map<number, DecoratorRecord[]>();
  for (const record of records) {
    if (record.place.on !== 'parameter') continue;
    const same = parameters.get(record.place.index);
    if (same) same.push(record);
    else parameters.set(record.place.index, [record]);
  }
  return parameters;
}
