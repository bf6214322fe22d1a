import { getOrMake, oncePer } from '@toolwright/json';
import type { ConfigurationProblem } from '../errors/configuration-error.js';
import { isOperationKind, operationKinds } from '../operation-kinds.js';
import { findOptionProblems, optionProblem } from '../options/option-schema.js';
import type { AnyOptionSchema } from '../options/option-schema.js';
import { type AnyClass, type DecoratorRecord, type RecordKind, ownRecords } from './store.js';

/** All decorators of one method, including those of base classes. */
export interface MethodRecords {
  readonly method: string;
  readonly static: boolean;
  /** The decorators of the method itself. */
  readonly records: readonly DecoratorRecord[];
  /** The decorators of its parameters, by index. */
  readonly parameters: ReadonlyMap<number, readonly DecoratorRecord[]>;
}

/** All decorators of one class, including those of base classes. */
export interface ClassRecords {
  readonly target: AnyClass;
  readonly records: readonly DecoratorRecord[];
  /** Methods of base classes first, otherwise in the order of the source. */
  readonly methods: readonly MethodRecords[];
  /** The decorators of constructor parameters, by index, in the class that declares the constructor. */
  readonly constructorParameters: ReadonlyMap<number, readonly DecoratorRecord[]>;
}

/**
 * Collects the records of a class and its base classes. A decorator of a derived class replaces the same kind of
 * decorator of its base on the same class, method or parameter. All other decorators of the base stay. So an
 * overriding method without decorators is still a tool, and keeps its scopes and limits. Losing a guard by overriding
 * would be worse than keeping one that is not needed.
 */
export function collectRecords(target: AnyClass): ClassRecords {
  const classes = lineage(target);
  const all = classes.map(ownRecords);
  // Several parts of the boot ask for the records of a class. If a decorator has run since, there is a new
  // array.
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
    methods: [...all.map(membersOf).reduce(overrideMembers).values()],
    constructorParameters: byIndex(constructorRecords(classes)),
  };
}

/** Returns the record of one kind, if there is one. */
export function findRecord<T>(
  records: readonly DecoratorRecord[],
  kind: RecordKind,
): DecoratorRecord<T> | undefined {
  return records.find((record) => record.kind === kind) as DecoratorRecord<T> | undefined;
}

/** The class and its base classes, the most basic first. */
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

/** Two records in the same slot say the same kind of thing about one place. */
function slot({ kind, name }: DecoratorRecord): string {
  return `${kind} ${name}`;
}

const NONE: OwnRecords = [];

/** The records are sorted once, because a class may have hundreds of methods. */
function membersOf(records: OwnRecords): Map<string, MethodRecords> {
  const members = new Map<string, MethodRecords & { records: OwnRecords; parameters: ByIndex }>();
  for (const record of records) {
    const { place } = record;
    if (place.on === 'class' || place.method === undefined) continue;
    const { method } = place;
    const key = place.static ? `::${method}` : method;
    const member = getOrMake(members, key, () => ({
      method,
      static: place.static,
      records: NONE,
      parameters: NO_PARAMETERS,
    }));
    // `push` would make V8 reserve room for 17 records, and most methods have one.
    if (place.on === 'method') member.records = member.records.concat(record);
    else member.parameters = withRecord(member.parameters, place.index, record);
  }
  return members;
}

function overrideMembers(base: Map<string, MethodRecords>, derived: Map<string, MethodRecords>) {
  for (const [key, member] of derived) {
    const known = base.get(key);
    base.set(key, known ? overrideMember(known, member) : member);
  }
  return base;
}

function overrideMember(base: MethodRecords, derived: MethodRecords): MethodRecords {
  const parameters = new Map(base.parameters);
  for (const [index, records] of derived.parameters)
    parameters.set(index, override(parameters.get(index) ?? [], records));
  return { ...derived, records: override(base.records, derived.records), parameters };
}

/**
 * Only the parameters of the nearest class that declares a constructor count, because the positions in a base's
 * constructor mean nothing to a derived one.
 */
function constructorRecords(classes: readonly AnyClass[]): readonly DecoratorRecord[] {
  const own = classes.map((each) =>
    ownRecords(each).filter(({ place }) => place.on === 'parameter' && place.method === undefined),
  );
  return own.findLast((records) => records.length > 0) ?? [];
}

type ByIndex = MethodRecords['parameters'];

/** Most methods have no decorated parameters. They share this map, so that not every method creates one. */
const NO_PARAMETERS: ByIndex = new Map();

function withRecord(parameters: ByIndex, index: number, record: DecoratorRecord): ByIndex {
  return new Map(parameters).set(index, [...(parameters.get(index) ?? []), record]);
}

function byIndex(records: readonly DecoratorRecord[]): ByIndex {
  return records.reduce(
    (parameters, record) =>
      record.place.on === 'parameter' ? withRecord(parameters, record.place.index, record) : parameters,
    NO_PARAMETERS,
  );
}

/** The names of the decorators with options that make no operations, for messages. */
const otherNames = {
  service: '@McpService',
  injectable: '@Injectable',
  app: '@McpApp',
  schema: '@Schema',
  inject: '@Inject',
  injections: '@Inject',
  completion: '@CompletionProvider',
} as const satisfies Partial<Record<RecordKind, string>>;

/** The name of a decorator, for messages. */
export function decoratorName(kind: RecordKind): string {
  const names: Partial<Record<RecordKind, string>> = otherNames;
  return isOperationKind(kind) ? operationKinds[kind].decorator : (names[kind] ?? kind);
}

/** The problems in the options of a class's decorators, each with its place. The container asks for them, too. */
export const findRecordProblems = oncePer((of: ClassRecords): readonly ConfigurationProblem[] => {
  const problems: ConfigurationProblem[] = [];
  const look = (all: readonly DecoratorRecord[]) => all.forEach((record) => addProblems(record, problems));
  look(of.records);
  of.constructorParameters.forEach(look);
  for (const method of of.methods) {
    look(method.records);
    method.parameters.forEach(look);
  }
  return problems;
});

function addProblems(
  { kind, name, schema, options, site }: DecoratorRecord,
  problems: ConfigurationProblem[],
): void {
  if (!schema) return;
  // Packages may have added options to these two. Each server checks those by the packages that it has.
  const own = kind === 'tool' || kind === 'service' ? knownOptions(schema, options) : options;
  const owner = kind === 'background' ? `@${name}` : decoratorName(kind);
  for (const problem of findOptionProblems(schema, own, { owner }))
    problems.push({ ...optionProblem(problem), ...(site.location && { location: site.location }) });
}

/** The options that have a rule. Most decorators have no others, and are not copied. */
function knownOptions(schema: AnyOptionSchema, options: unknown): unknown {
  if (typeof options !== 'object' || options === null) return options;
  const names = Object.keys(options);
  if (names.every((name) => Object.hasOwn(schema, name))) return options;
  return Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(schema, name)));
}
