/** Something that an author says about a value, and how it shows in the schema of the value. */
export interface Fact {
  readonly name: string;
  /** The text before the member. Its end is on the line of the member, or on the line before it. */
  readonly written: string;
  readonly type: 'string' | 'number';
  /** The keyword of the schema of an argument, with its value. */
  readonly keyword: readonly [string, unknown];
  /** A decorator can only be at members and parameters of classes. */
  readonly isDecorator?: true;
  /** class-validator checks arguments, so results do not have it. */
  readonly onlyInput?: true;
}

const tags: readonly Omit<Fact, 'name'>[] = [
  { written: '@sensitive', type: 'string', keyword: ['writeOnly', true] },
  { written: '@maximum 5', type: 'number', keyword: ['maximum', 5] },
  { written: '@exclusiveMinimum 2', type: 'number', keyword: ['exclusiveMinimum', 2] },
  { written: '@multipleOf 3', type: 'number', keyword: ['multipleOf', 3] },
  { written: '@TJS-type integer', type: 'number', keyword: ['type', 'integer'] },
  { written: '@minLength 2', type: 'string', keyword: ['minLength', 2] },
  { written: '@pattern ^a+$', type: 'string', keyword: ['pattern', '^a+$'] },
  { written: '@format uuid', type: 'string', keyword: ['format', 'uuid'] },
  { written: '@deprecated', type: 'string', keyword: ['deprecated', true] },
  { written: '@example aa', type: 'string', keyword: ['examples', ['aa']] },
  { written: '@x-unit metre', type: 'number', keyword: ['x-unit', 'metre'] },
  { written: 'In words.', type: 'string', keyword: ['description', 'In words.'] },
];

const decorators: readonly Omit<Fact, 'name'>[] = [
  { written: '@Sensitive()', type: 'string', keyword: ['writeOnly', true] },
  { written: '@MaxLength(5)', type: 'string', keyword: ['maxLength', 5], onlyInput: true },
  { written: '@IsInt()', type: 'number', keyword: ['type', 'integer'], onlyInput: true },
  { written: "@Schema({ pattern: '^b$' })", type: 'string', keyword: ['pattern', '^b$'], onlyInput: true },
];

export const facts: readonly Fact[] = [
  ...tags.flatMap((tag) => [
    { ...tag, name: `${tag.written} on a line of its own`, written: `\n/** ${tag.written} */\n` },
    { ...tag, name: `${tag.written} on the line of the member`, written: `/** ${tag.written} */ ` },
  ]),
  ...decorators.map((each) => ({
    ...each,
    name: each.written,
    written: `${each.written} `,
    isDecorator: true as const,
  })),
];

/** A way to use a member again. The words `FACT`, `TYPE` and `N` are replaced; `N` is a number of its own. */
export interface Reuse {
  readonly name: string;
  /** Declarations of the module. */
  readonly declare: string;
  /** The type of the argument and of the result. */
  readonly use: string;
  /** Only classes have decorators. */
  readonly isClass?: true;
  /** The name of the member, if it is not `it`. */
  readonly member?: string;
  /** The member is the argument itself. */
  readonly isWhole?: true;
}

const shape = 'interface AN { FACTit: TYPE; other: string }';
const held = 'export class AN { FACTit!: TYPE; other!: string }';

/** The same for an interface and for a class. */
const onBoth = (name: string, use: string, more: Partial<Reuse> & { also?: string } = {}): Reuse[] => {
  const { also = '', ...rest } = more;
  return [
    { name: `${name}, of an interface`, declare: shape + also, use, ...rest },
    { name: `${name}, of a class`, declare: held + also, use, isClass: true, ...rest },
  ];
};

export const reuses: readonly Reuse[] = [
  ...onBoth('as it is', 'AN'),
  ...onBoth('in a list', 'AN[]'),
  ...onBoth('or null', 'AN | null'),
  ...onBoth('in a record', 'Record<string, AN>'),
  ...onBoth('Partial', 'Partial<AN>'),
  ...onBoth('Required', 'Required<AN>'),
  ...onBoth('Readonly', 'Readonly<AN>'),
  ...onBoth('Pick', "Pick<AN, 'it'>"),
  ...onBoth('Omit', "Omit<AN, 'other'>"),
  ...onBoth('a Pick of a Partial', "Pick<Partial<AN>, 'it'>"),
  ...onBoth('an own mapped type', 'MN<AN>', { also: 'type MN<T> = { readonly [K in keyof T]-?: T[K] };' }),
  ...onBoth('keys remapped with as', 'MN<AN>', {
    also: 'type MN<T> = { [K in keyof T as `x_${string & K}`]: T[K] };',
    member: 'x_it',
  }),
  ...onBoth('a filter with as', 'MN<AN>', {
    also: "type MN<T> = { [K in keyof T as Exclude<K, 'other'>]: T[K] };",
  }),
  ...onBoth('an own Omit', "MN<AN, 'other'>", {
    also: 'type MN<T, D> = { [K in Exclude<keyof T, D>]?: T[K] };',
  }),
  ...onBoth('a filter by the type', 'MN<AN, TYPE>', {
    also: 'type MN<T, V> = { [K in { [P in keyof T]: T[P] extends V ? P : never }[keyof T]]: T[K] };',
  }),
  ...onBoth('a list of keys', 'MN<AN>', { also: "type MN<T extends AN> = { [P in 'it']: T[P] };" }),
  ...onBoth('a member of a generic type', "GN<AN, 'it'>", {
    also: 'interface GN<T, K extends keyof T> { it: T[K] }',
  }),
  ...onBoth('a list in a generic type', "Partial<GN<AN, 'it'>>", {
    also: 'interface GN<T, K extends keyof T> { it: T[K][] }',
  }),
  ...onBoth('entries', 'MN<AN>', {
    also: 'type MN<T> = { [K in keyof T]: { key: K; value: T[K] } }[keyof T];',
    member: 'value',
  }),
  ...onBoth('an intersection', 'AN & { third: string }'),
  ...onBoth('an intersection that repeats it', 'AN & { it: TYPE }'),
  ...onBoth('an intersection with a renamed one', 'MN<AN> & { x_it: TYPE }', {
    also: 'type MN<T> = { [K in keyof T as `x_${string & K}`]: T[K] };',
    member: 'x_it',
  }),
  ...onBoth('an interface that extends it', 'BN', { also: 'interface BN extends AN { third: string }' }),
  ...onBoth('an interface that redeclares it', 'BN', { also: 'interface BN extends AN { it: TYPE }' }),
  ...onBoth('an interface over a Pick', 'BN', { also: "interface BN extends Pick<AN, 'it'> { it: TYPE }" }),
  ...onBoth('a generic type', 'GN<AN>', { also: 'interface GN<T> { items: T[]; next?: T | null }' }),
  ...onBoth('an alias', 'BN', { also: 'type BN = AN;' }),
  ...onBoth('a conditional type', 'BN<AN>', { also: 'type BN<T> = T extends object ? Partial<T> : never;' }),
  ...onBoth('a deep mapped type', 'BN<{ deep: AN }>', {
    also: 'type BN<T> = { [K in keyof T]?: T[K] extends object ? BN<T[K]> : T[K] };',
  }),
  ...onBoth('a class that implements it', 'BN', {
    also: 'export class BN implements AN { it!: TYPE; other!: string }',
  }),
  ...onBoth('the type of one property', 'BN', { also: "interface BN { it: AN['it'] }" }),
  ...onBoth('a list of the type of one property', 'BN', { also: "interface BN { it: AN['it'][] }" }),
  ...onBoth('the type of one property, or null', 'BN', { also: "interface BN { it: AN['it'] | null }" }),
  { name: 'a type literal', declare: 'type AN = { FACTit: TYPE; other: string };', use: 'AN' },
  { name: 'a generic property', declare: 'interface GN<T> { FACTit: T }', use: 'Partial<GN<TYPE>>' },
  {
    name: 'a child class that redeclares it',
    declare: `${held} export class BN extends AN { declare it: TYPE }`,
    use: 'BN',
    isClass: true,
  },
  {
    name: 'a grandchild that redeclares it',
    declare: `${held} export class BN extends AN {} export class CN extends BN { declare it: TYPE }`,
    use: "Pick<CN, 'it'>",
    isClass: true,
  },
  {
    name: 'an abstract property',
    declare: 'export abstract class AN { FACTabstract it: TYPE } export class BN extends AN { it!: TYPE }',
    use: 'BN',
    isClass: true,
  },
  {
    name: 'a mixin',
    declare: `type CN = new (...args: any[]) => object;
      function MN<T extends CN>(Base: T) { class Mixed extends Base { FACTit!: TYPE } return Mixed; }
      export class BN extends MN(Object) { declare it: TYPE }`,
    use: 'BN',
    isClass: true,
  },
  {
    name: 'a parameter property',
    declare: 'export class AN { constructor(FACTreadonly it: TYPE) {} }',
    use: 'AN',
  },
  ...['PickType(AN, ["it"])', 'OmitType(AN, ["other"])', 'PartialType(AN)', 'IntersectionType(AN, BN)'].map(
    (made): Reuse => ({
      name: `a class of ${made.split('(')[0]!}`,
      declare: `${held} export class BN { third!: string } export class CN extends ${made} {}`,
      use: 'CN',
      isClass: true,
    }),
  ),
  { name: 'an index signature', declare: 'interface AN { FACT[key: string]: TYPE }', use: 'AN', member: '*' },
  {
    name: 'a member of a tuple',
    declare: 'type AN = [FACTit: TYPE, other: string];',
    use: 'AN',
    member: '0',
  },
  ...[
    ['an alias of a primitive', 'AN'],
    ['a list of aliases', 'AN[]'],
    ['an alias or null', 'AN | null'],
    ['a set of aliases', 'Set<AN>'],
    ['a generic of an alias', 'Record<string, AN>'],
    ['a list of an alias of an alias', 'BN[]'],
  ].map(([name = '', use = '']): Reuse => ({
    name,
    declare: 'FACTtype AN = TYPE; type BN = AN;',
    use: `{ it: ${use} }`,
  })),
];
