type Value = Record<string, unknown>;

/** A way to use the members of `A#` again, in the arguments and in the result of a method. */
export interface Reuse {
  readonly name: string;
  /** More declarations. */
  readonly declare?: string;
  /** The type of the argument and of the result. */
  readonly use: string;
  /** The parameters of the method, if they are not `value: USE, more: string`. */
  readonly parameters?: string;
  /** Type literals cannot be extended, and decorators can only be used again by classes. */
  readonly needs?: 'named' | 'class';
  /** The name of the member, if it is not `it`; `*` and `0` are those of a record and of a tuple. */
  readonly member?: string;
  /** The JSON of a value. */
  readonly json?: (value: Value, type: string) => unknown;
  /** The value of the method, made of its JSON. */
  readonly made?: string;
  readonly only?: 'input' | 'output';
}

const it = ({ it }: Value): Value => (it === undefined ? {} : { it });
const list = (value: Value) => [value];

const row = (name: string, use: string, more: Partial<Reuse> = {}): Reuse => ({ name, use, ...more });

/** The type itself, and what holds it. */
const whole: readonly Reuse[] = [
  row('as it is', 'A#'),
  row('in parentheses', '((A#))'),
  row('or null', 'A# | null'),
  row('or a text', 'A# | string'),
  row('or another object', "A# | { kind: 'else' }"),
  row('in a list', 'A#[]', { json: list }),
  row('in a readonly list', 'readonly A#[]', { json: list }),
  row('in an Array', 'Array<A#>', { json: list }),
  row('in a list of lists', 'A#[][]', { json: (value) => [[value]] }),
  row('in a tuple', '[A#, number]', { json: (value) => [value, 1] }),
  row('in the rest of a tuple', '[number, ...A#[]]', { json: (value) => [1, value] }),
  row('in a set', 'Set<A#>', { json: list, made: 'new Set(GIVEN)' }),
  row('in a record', 'Record<string, A#>', { json: (value) => ({ key: value }) }),
  row('in a record of names', "Record<'a' | 'b', A#>", { json: (value) => ({ a: value, b: value }) }),
  row('in a map', 'Map<string, A#>', {
    json: (value) => ({ key: value }),
    made: 'new Map(Object.entries(GIVEN))',
  }),
  row('in an index signature', '{ [key: string]: A# }', { json: (value) => ({ key: value }) }),
  row('in an index signature of a template', '{ [key: `at-${string}`]: A# }', {
    json: (value) => ({ 'at-1': value }),
  }),
  row('in an object', '{ deep: A# }', { json: (deep) => ({ deep }) }),
  row('in an optional property', '{ deep?: A# }', { json: (deep) => ({ deep }) }),
  row('in a promise', 'Promise<A#>', { only: 'output', made: 'Promise.resolve(GIVEN)' }),
  row('in a promise of a list', 'Promise<A#[]>', {
    only: 'output',
    json: list,
    made: 'Promise.resolve(GIVEN)',
  }),
  row('in an iterable', 'AsyncIterable<A#>', { only: 'output', json: list, made: 'eachOf(GIVEN)' }),
  row('in a generator', 'Generator<A#>', { only: 'output', json: list, made: 'GIVEN.values()' }),
  row('Awaited', 'Awaited<Promise<A#>>'),
  row('an alias', 'B#', { declare: 'type B# = A#;' }),
  row('an alias of an alias', 'C#', { declare: 'type B# = A#; type C# = B#;' }),
  row('a generic alias', 'B#<A#>', { declare: 'type B#<T> = T;' }),
  row('a generic alias with a default', 'B#', {
    declare: 'type B#<T extends object = A#> = { deep: T };',
    json: (deep) => ({ deep }),
  }),
  row('a generic interface', 'B#<A#>', {
    declare: 'interface B#<T> { items: T[]; next?: T | null }',
    json: (value) => ({ items: [value], next: value }),
  }),
  row('a conditional type', 'B#<A#>', { declare: 'type B#<T> = T extends object ? Partial<T> : never;' }),
  row('Extract', 'Extract<A# | string, object>'),
  row('Exclude', 'Exclude<A# | string, string>'),
  row('NonNullable', 'NonNullable<A# | null | undefined>'),
  row('what a function takes', 'Parameters<typeof takes#>[0]', {
    declare: 'declare function takes#(value: A#): void;',
  }),
  row('what a function returns', 'ReturnType<typeof gives#>', { declare: 'declare function gives#(): A#;' }),
  row('what a promise of a function gives', 'Awaited<ReturnType<typeof gives#>>', {
    declare: 'declare function gives#(): Promise<A#>;',
  }),
  row('a spread', 'ReturnType<typeof copy#>', {
    declare: "function copy#(from: A#) { return { ...from, third: 'x' }; }",
    json: (value) => ({ ...value, third: 'x' }),
  }),
];

/** Types that TypeScript makes of the members. */
const mapped: readonly Reuse[] = [
  row('Partial', 'Partial<A#>'),
  row('Required', 'Required<A#>'),
  row('Readonly', 'Readonly<A#>'),
  row('Pick', "Pick<A#, 'it'>", { json: it }),
  row('Omit', "Omit<A#, 'other'>", { json: it }),
  row('a Pick of a Partial', "Pick<Partial<A#>, 'it'>", { json: it }),
  row('a Partial of an Omit', "Partial<Omit<A#, 'other'>>", { json: it }),
  row('an Omit that replaces another member', "Omit<A#, 'other'> & { other: number }", {
    json: (value) => ({ ...it(value), other: 1 }),
  }),
  row('an own mapped type', 'B#<A#>', { declare: 'type B#<T> = { [K in keyof T]: T[K] };' }),
  row('a mapped type without a generic', '{ [K in keyof A#]: A#[K] }'),
  row('a mapped type with -?', 'B#<A#>', { declare: 'type B#<T> = { readonly [K in keyof T]-?: T[K] };' }),
  row('a mapped type with -readonly', 'B#<A#>', {
    declare: 'type B#<T> = { -readonly [K in keyof T]+?: T[K] };',
  }),
  row('a mapped type or null', 'B#<A#>', { declare: 'type B#<T> = { [K in keyof T]: T[K] | null };' }),
  row('a mapped type of lists', 'B#<A#>', {
    declare: 'type B#<T> = { [K in keyof T]: T[K][] };',
    json: ({ it, other }) => ({ ...(it !== undefined && { it: [it] }), other: [other] }),
  }),
  row('a mapped type of objects', 'B#<A#>', {
    declare: 'type B#<T> = { [K in keyof T]: { value: T[K] } };',
    member: 'value',
    json: ({ it, other }) => ({ ...(it !== undefined && { it: { value: it } }), other: { value: other } }),
  }),
  row('keys remapped with as', 'B#<A#>', {
    declare: 'type B#<T> = { [K in keyof T as `x_${string & K}`]: T[K] };',
    member: 'x_it',
    json: ({ it, other }) => ({ ...(it !== undefined && { x_it: it }), x_other: other }),
  }),
  row('keys remapped with Uppercase', 'B#<A#>', {
    declare: 'type B#<T> = { [K in keyof T as Uppercase<string & K>]: T[K] };',
    member: 'IT',
    json: ({ it, other }) => ({ ...(it !== undefined && { IT: it }), OTHER: other }),
  }),
  row('a filter with as', 'B#<A#>', {
    declare: "type B#<T> = { [K in keyof T as Exclude<K, 'other'>]: T[K] };",
    json: it,
  }),
  row('an own Omit', "B#<A#, 'other'>", {
    declare: 'type B#<T, D> = { [K in Exclude<keyof T, D>]: T[K] };',
    json: it,
  }),
  row('a filter by the type', 'B#<A#, TYPE>', {
    declare:
      'type B#<T, V> = { [K in { [P in keyof T]-?: T[P] extends V | undefined ? P : never }[keyof T]]: T[K] };',
    json: (value, type) => (type === 'string' ? value : it(value)),
  }),
  row('a list of keys', 'B#<A#>', { declare: "type B#<T extends A#> = { [P in 'it']: T[P] };", json: it }),
  row('a deep mapped type', 'B#<{ deep: A# }>', {
    declare: 'type B#<T> = T extends object ? { [K in keyof T]?: B#<T[K]> } : T;',
    json: (deep) => ({ deep }),
  }),
  row('entries', 'B#<A#>', {
    declare: 'type B#<T> = { [K in keyof T]-?: { key: K; value: T[K] } }[keyof T];',
    member: 'value',
    json: ({ it }) => ({ key: 'it', value: it }),
  }),
  row('an intersection', 'A# & { third: string }', { json: (value) => ({ ...value, third: 'x' }) }),
  row('an intersection that repeats it', 'A# & { it?: TYPE }'),
  row('an intersection with a renamed one', 'B#<A#> & { x_it?: TYPE }', {
    declare: 'type B#<T> = { [K in keyof T as `x_${string & K}`]: T[K] };',
    member: 'x_it',
    json: ({ it, other }) => ({ ...(it !== undefined && { x_it: it }), x_other: other }),
  }),
  row('a flattened intersection', 'B#<A# & { third: string }>', {
    declare: 'type B#<T> = { [K in keyof T]: T[K] } & {};',
    json: (value) => ({ ...value, third: 'x' }),
  }),
];

/** The type of one member. */
const single: readonly Reuse[] = [
  row('the type of one property', "{ it: A#['it'] }", { json: it }),
  row('the type of one property, optional', "{ it?: A#['it'] }", { json: it }),
  row('the type of one property, or null', "{ it: A#['it'] | null }", { json: it }),
  row('a list of the type of one property', "{ it: A#['it'][] }", { json: ({ it }) => ({ it: [it] }) }),
  row('a set of the type of one property', "{ it: Set<A#['it']> }", {
    json: ({ it }) => ({ it: [it] }),
    made: '{ it: new Set(GIVEN.it) }',
  }),
  row('a record of the type of one property', "{ it: Record<string, A#['it']> }", {
    json: ({ it }) => ({ it: { key: it } }),
  }),
  row('the type of one property without undefined', "{ it: NonNullable<A#['it']> }", { json: it }),
  row('an alias of the type of one property', '{ it: B# }', { declare: "type B# = A#['it'];", json: it }),
  row('the type of one property of a Pick', "{ it: Pick<A#, 'it'>['it'] }", { json: it }),
  row('a deep property', "{ it: B#['deep']['it'] }", { declare: 'interface B# { deep: A# }', json: it }),
  row('a property of an item', "{ it: B#[number]['it'] }", { declare: 'type B# = A#[];', json: it }),
  row('a member of a generic type', "B#<A#, 'it'>", {
    declare: 'interface B#<T, K extends keyof T> { it: T[K] }',
    json: it,
  }),
  row('an optional member of a generic type', "B#<A#, 'it'>", {
    declare: 'interface B#<T, K extends keyof T> { it?: T[K] }',
    json: it,
  }),
  row('a list in a generic type', "Partial<B#<A#, 'it'>>", {
    declare: 'interface B#<T, K extends keyof T> { it: T[K][] }',
    json: ({ it }) => ({ it: [it] }),
  }),
  row('a type that is inferred', 'B#<A#>', {
    declare: 'type B#<T> = T extends { it?: infer P } ? { it: P } : never;',
    json: it,
  }),
  row('the type of a property of a value', '{ it: (typeof valueA#)["it"] }', {
    declare: 'declare const valueA#: A#;',
    json: it,
  }),
];

/** Declarations that stand on the type. */
const named: readonly Reuse[] = [
  row('an interface that extends it', 'B#', {
    declare: 'interface B# extends A# { third?: string }',
    needs: 'named',
  }),
  row('an interface that redeclares it', 'B#', {
    declare: 'interface B# extends A# { it: TYPE }',
    needs: 'named',
  }),
  row('an interface over an alias', 'B#', {
    declare: 'type C# = A#; interface B# extends C# { third?: string }',
  }),
  row('an interface over a Pick', 'B#', {
    declare: "interface B# extends Pick<A#, 'it'> { third?: string }",
    json: it,
  }),
  row('an interface that redeclares a Pick', 'B#', {
    declare: "interface B# extends Pick<A#, 'it'> { it: TYPE }",
    json: it,
  }),
  row('an interface over an Omit', 'B#', {
    declare: "interface B# extends Omit<A#, 'other'> { third?: string }",
    json: it,
  }),
  row('an interface over a Partial', 'B#', {
    declare: 'interface B# extends Partial<A#> { third?: string }',
  }),
  row('a class that implements it', 'B#', {
    declare: 'export class B# implements A# { it!: TYPE; other!: string }',
  }),
  row('a class that implements a Pick', 'B#', {
    declare: "export class B# implements Pick<A#, 'it'> { it!: TYPE }",
    json: it,
  }),
  row('a child class', 'B#', { declare: 'export class B# extends A# { third?: string }', needs: 'class' }),
  row('a child class that redeclares it', 'B#', {
    declare: 'export class B# extends A# { declare it: TYPE }',
    needs: 'class',
  }),
  row('a child class that gives it a value', 'B#', {
    declare: 'export class B# extends A# { override it: TYPE = GOOD }',
    needs: 'class',
  }),
  row('a grandchild that redeclares it', "Pick<C#, 'it'>", {
    declare: 'export class B# extends A# {} export class C# extends B# { declare it: TYPE }',
    needs: 'class',
    json: it,
  }),
  row('a class over a mixin of it', 'B#', {
    declare: `type CtorB# = new (...given: any[]) => object;
      function MixB#<T extends CtorB#>(Base: T) { return class extends Base { third?: string }; }
      export class B# extends MixB#(A#) { fourth?: string }`,
    needs: 'class',
  }),
  ...[
    'PickType(A#, ["it"])',
    'OmitType(A#, ["other"])',
    'PartialType(A#)',
    'IntersectionType(A#, Third#)',
    'PartialType(PickType(A#, ["it"]))',
  ].map((made): Reuse => ({
    name: `a class of ${made.replace(/N\b/g, '')}`,
    declare: `export class Third# { third?: string } export class B# extends ${made} {}`,
    use: 'B#',
    needs: 'class',
    ...(made.includes('"') && { json: it }),
  })),
];

/** Places in a method. */
const places: readonly Reuse[] = [
  row('the whole input', 'A#', { only: 'input', parameters: 'value: A#' }),
  row('a destructured input', 'A#', { only: 'input', parameters: '{ it, other }: A#' }),
  row('a destructured parameter', 'A#', { only: 'input', parameters: '{ it, other }: A#, more: string' }),
  row('an optional parameter', 'A#', { only: 'input', parameters: 'value?: A#, more?: string' }),
  row('a rest of parameters', 'A#', { only: 'input', parameters: '...value: A#[]', json: list }),
  row('a parameter of the type of one property', 'A#', {
    only: 'input',
    parameters: "value: A#['it'], more: string",
    member: 'value',
    json: ({ it }) => it,
  }),
];

export const reuses: readonly Reuse[] = [...whole, ...mapped, ...single, ...named, ...places];
