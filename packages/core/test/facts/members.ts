/**
 * A kind of member. `A#` is a type with the members `it` and `other`. The words `FACT`, `TYPE` and `GOOD` are replaced by
 * what a fact says, its type and a value; `#` is a number of its own.
 */
export interface Member {
  readonly name: string;
  readonly declare: string;
  /** What `A#` is: classes and interfaces can be extended, and a class can be made without arguments. */
  readonly holder: 'class' | 'interface' | 'type';
  /** The member can have decorators. */
  readonly isDecorated?: true;
  /** TypeScript makes the type of the member of a value. */
  readonly isInferred?: true;
}

const inClass = (name: string, declare: string, isDecorated = true): Member => ({
  name,
  declare,
  holder: 'class',
  ...(isDecorated && { isDecorated }),
});
const inInterface = (name: string, declare: string): Member => ({ name, declare, holder: 'interface' });
const inType = (name: string, declare: string): Member => ({ name, declare, holder: 'type' });

export const members: readonly Member[] = [
  inInterface('a property of an interface', 'interface A# { FACTit: TYPE; other: string }'),
  inClass('a property of a class', 'export class A# { FACTit!: TYPE; other!: string }'),
  inInterface('an optional property', 'interface A# { FACTit?: TYPE; other: string }'),
  inInterface('a readonly property', 'interface A# { FACTreadonly it: TYPE; other: string }'),
  inInterface('a name in quotes', "interface A# { FACT'it': TYPE; other: string }"),
  inInterface('a computed name', "interface A# { FACT['it']: TYPE; other: string }"),
  inInterface(
    'the name of a constant',
    "const name# = 'it'; interface A# { FACT[name#]: TYPE; other: string }",
  ),
  inInterface(
    'accessors of an interface',
    'interface A# { FACTget it(): TYPE; set it(given: TYPE); other: string }',
  ),
  inInterface('an alias of the type', 'FACTtype Value# = TYPE; interface A# { it: Value#; other: string }'),
  inInterface(
    'an inherited property',
    'interface Base# { FACTit: TYPE } interface A# extends Base# { other: string }',
  ),
  inInterface('a merged declaration', 'interface A# { other: string } interface A# { FACTit: TYPE }'),
  inInterface(
    'an interface over an alias',
    'type Base# = { FACTit: TYPE }; interface A# extends Base# { other: string }',
  ),
  inInterface(
    'an interface merged into a class',
    'export class A# { other!: string } export interface A# { FACTit: TYPE }',
  ),
  inType('a type literal', 'type A# = { FACTit: TYPE; other: string };'),
  inType('a part of an intersection', 'type A# = { FACTit: TYPE } & { other: string };'),
  inType(
    'an interface of a namespace',
    'namespace Space# { export interface It { FACTit: TYPE; other: string } } type A# = Space#.It;',
  ),
  inType(
    'an import of a namespace',
    'namespace Space# { export interface It { FACTit: TYPE; other: string } } import A# = Space#.It;',
  ),
  inType('a generic type', 'interface Made#<T> { FACTit: T; other: string } type A# = Made#<TYPE>;'),
  inType(
    'the default of a type parameter',
    'interface Made#<T = TYPE> { FACTit: T; other: string } type A# = Made#;',
  ),
  {
    ...inType('a constant', "const value# = { FACTit: GOOD as TYPE, other: 'x' }; type A# = typeof value#;"),
    isInferred: true,
  },
  {
    ...inType(
      'a constant that satisfies a type',
      "const value# = { FACTit: GOOD as TYPE, other: 'x' } satisfies object; type A# = typeof value#;",
    ),
    isInferred: true,
  },
  {
    ...inType(
      'what a function returns',
      "function make#() { return { FACTit: GOOD as TYPE, other: 'x' }; } type A# = ReturnType<typeof make#>;",
    ),
    isInferred: true,
  },
  inType(
    'the declared result of a function',
    'declare function make#(): { FACTit: TYPE; other: string }; type A# = ReturnType<typeof make#>;',
  ),
  inType(
    'an argument of a generic type',
    'type Made#<T> = T; type A# = Made#<{ FACTit: TYPE; other: string }>;',
  ),
  inClass('an optional property of a class', 'export class A# { FACTit?: TYPE; other!: string }'),
  inClass('a readonly property of a class', 'export class A# { FACTreadonly it!: TYPE; other!: string }'),
  inClass('a property with a value', 'export class A# { FACTit: TYPE = GOOD; other!: string }'),
  inClass('a declared property', 'export class A# { FACTdeclare it: TYPE; other!: string }', false),
  inClass('a quoted name of a class', "export class A# { FACT'it'!: TYPE; other!: string }"),
  inClass(
    'a property of a base class',
    'class Base# { FACTit!: TYPE } export class A# extends Base# { other!: string }',
  ),
  inClass(
    'a redeclared property',
    'class Base# { FACTit!: TYPE } export class A# extends Base# { declare it: TYPE; other!: string }',
  ),
  inClass(
    'an abstract property',
    'abstract class Base# { FACTabstract it: TYPE } export class A# extends Base# { it!: TYPE; other!: string }',
    false,
  ),
  inClass(
    'a property of a generic class',
    'class Base#<T> { FACTit!: T } export class A# extends Base#<TYPE> { other!: string }',
  ),
  inClass(
    'a class that implements an interface',
    'interface Base# { FACTit: TYPE } export class A# implements Base# { it!: TYPE; other!: string }',
    false,
  ),
  inClass(
    'a property of a mixin',
    `type Ctor# = new (...given: any[]) => object;
    function Mix#<T extends Ctor#>(Base: T) { class Mixed extends Base { FACTit!: TYPE } return Mixed; }
    export class A# extends Mix#(class {}) { other!: string }`,
  ),
  {
    name: 'a parameter property',
    declare: 'export class A# { constructor(FACTreadonly it: TYPE, readonly other: string) {} }',
    holder: 'interface',
  },
];
