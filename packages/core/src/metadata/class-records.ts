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
  const places = all.map(byPlace);
  const pick = (place: string) => places.map((own) => own.get(place) ?? []).reduce(override, []);
  return {
    target,
    records: pick('class'),
    methods: methodsOf(all.flat()).map(({ method, static: isStatic }) => ({
      method,
      static: isStatic,
      records: pick(placeKey('method', method, isStatic)),
      parameters: byIndex(pick(placeKey('parameter', method, isStatic))),
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

function override(
  base: readonly DecoratorRecord[],
  derived: readonly DecoratorRecord[],
): readonly DecoratorRecord[] {
  if (base.length === 0) return derived;
  const said = new Set(derived.map(slot));
  return [...base.filter((record) => record.combine || !said.has(slot(record))), ...derived];
}

/** Two records in the same slot say the same kind of thing about the same place. */
function slot({ kind, name, place }: DecoratorRecord): string {
  return `${kind} ${name} ${place.on === 'parameter' ? place.index : ''}`;
}

/** Sorted once: a class of a hundred tools has some hundred places. */
function byPlace(records: readonly DecoratorRecord[]): ReadonlyMap<string, readonly DecoratorRecord[]> {
  const places = new Map<string, DecoratorRecord[]>();
  for (const record of records) {
    const { place } = record;
    const key = place.on === 'class' ? 'class' : placeKey(place.on, place.method, place.static);
    const same = places.get(key);
    if (same) same.push(record);
    else places.set(key, [record]);
  }
  return places;
}

function placeKey(on: 'method' | 'parameter', method: string | undefined, isStatic: boolean): string {
  return `${on} ${isStatic} ${method ?? ''}`;
}

function methodsOf(records: readonly DecoratorRecord[]): { method: string; static: boolean }[] {
  const methods = new Map<string, { method: string; static: boolean }>();
  for (const { place } of records) {
    if (place.on === 'class' || place.method === undefined) continue;
    methods.set(`${place.static} ${place.method}`, { method: place.method, static: place.static });
  }
  return [...methods.values()];
}

/** Of the nearest class that declares any: positions of a base's constructor mean nothing to a derived one. */
function constructorRecords(classes: readonly AnyClass[]): readonly DecoratorRecord[] {
  const own = classes.map((each) =>
    ownRecords(each).filter(({ place }) => place.on === 'parameter' && place.method === undefined),
  );
  return own.findLast((records) => records.length > 0) ?? [];
}

function byIndex(records: readonly DecoratorRecord[]): ReadonlyMap<number, readonly DecoratorRecord[]> {
  const parameters = new Map<number, DecoratorRecord[]>();
  for (const record of records) {
    if (record.place.on !== 'parameter') continue;
    const same = parameters.get(record.place.index);
    if (same) same.push(record);
    else parameters.set(record.place.index, [record]);
  }
  return parameters;
}
