import * as fc from 'fast-check';

/** A DTO class that nobody wrote. */
export interface MadeUpClass {
  readonly name: string;
  readonly source: string;
  /** The properties that its type declares. The server accepts those without a decorator, too. */
  readonly declared: readonly string[];
}

interface Property {
  readonly name: string;
  readonly type: string;
  readonly decorators: readonly string[];
  readonly isOptional: boolean;
}

const PLAIN = ['any', 'unknown', 'string', 'number', 'boolean', 'string | null', 'string | number', 'any[]', 'unknown[]',
  'string[]', 'number | null', 'Record<string, unknown>', "'a' | 'b'", 'object', 'any | null', '(string | null)[]', 'Json']; // prettier-ignore

const CHECKS = ['IsDefined()', 'IsNotEmpty()', 'IsString()', 'IsInt()', 'IsNumber()', 'IsBoolean()', 'IsOptional()', 'Min(1)', 'Max(5)',
  'MinLength(2)', 'Length(1, 3)', 'Matches(/^a/)', 'IsIn(["a", "b", null])', 'Equals("a")', 'NotEquals(null)', 'IsNotIn(["a"])', 'IsEmail()',
  'IsArray()', 'ArrayMinSize(1)', 'ArrayNotEmpty()', 'IsString({ each: true })', 'IsDefined({ each: true })', 'IsNotEmpty({ each: true })', 'Allow()',
  'IsObject()', 'IsNotEmptyObject()', 'IsDate()', 'IsPositive()', 'IsEnum(Side)', 'IsUUID()', 'ArrayUnique()', 'Max(LIMIT)', 'IsEmpty()',
  'IsBooleanString()', 'IsInt({ each: true })', 'IsInstance(Date)', 'IsNumberString()', 'IsISO8601()', 'Short()']; // prettier-ignore

const NAMES = ['a', 'b', 'c', 'd'];

const property: fc.Arbitrary<Property> = fc.record({
  name: fc.constantFrom(...NAMES),
  type: fc.constantFrom(...PLAIN),
  decorators: fc.uniqueArray(fc.constantFrom(...CHECKS), { minLength: 0, maxLength: 3 }),
  isOptional: fc.boolean(),
});

const properties = (minLength: number) =>
  fc.uniqueArray(property, { minLength, maxLength: 3, selector: ({ name }) => name });

const fields = (all: readonly Property[]) =>
  all
    .map(({ name, type, decorators, isOptional }) => {
      const written = decorators.map((each) => `@${each}`).join(' ');
      return `${written} ${name}${isOptional ? '?' : '!'}: ${type};`;
    })
    .join('\n  ');

const members = (all: readonly Property[]) =>
  all.map(({ name, type, isOptional }) => `${name}${isOptional ? '?' : ''}: ${type}`).join('; ');

/** The ways in which a class gets its properties and rules. `own` and `base` are properties. */
const FORMS: Record<string, (name: string, own: readonly Property[], base: readonly Property[]) => string> = {
  plain: (name, own) => `export class ${name} { ${fields(own)} }`,
  derived: (name, own, base) =>
    `export class ${name}Base { ${fields(base)} }
     // @ts-ignore: a property may be declared again with another type
     export class ${name} extends ${name}Base { ${fields(own)} }`,
  derivedTwice: (name, own, base) =>
    `export class ${name}Base { ${fields(base)} }
     export class ${name}Middle extends ${name}Base { }
     // @ts-ignore: see above
     export class ${name} extends ${name}Middle { ${fields(own)} }`,
  redeclared: (name, own) =>
    `export class ${name}Base { ${fields(own)} }
     export class ${name} extends ${name}Base { ${own.map(({ name: each, type, isOptional }) => `declare ${each}${isOptional ? '?' : ''}: ${type};`).join(' ')} }`,
  abstractBase: (name, own, base) =>
    `export abstract class ${name}Base { ${fields(base)} }
     // @ts-ignore: see above
     export class ${name} extends ${name}Base { ${fields(own)} }`,
  abstract: (name, own) => `export abstract class ${name} { ${fields(own)} }`,
  generic: (name, own, base) =>
    `export class ${name}Base<T> { ${fields(base.map((each) => ({ ...each, type: 'T' })))} }
     // @ts-ignore: see above
     export class ${name} extends ${name}Base<${own[0]!.type}> { ${fields(own)} }`,
  mixin: (name, own, base) =>
    `function ${name}Mixin(): Ctor<{ ${members(base)} }> {
       class Mixed { ${fields(base)} }
       return Mixed;
     }
     // @ts-ignore: see above
     export class ${name} extends ${name}Mixin() { ${fields(own)} }`,
  mixinOfBase: (name, own, base) =>
    `export class ${name}Base { ${fields(base)} }
     function ${name}Mixin<B extends Ctor<object>>(Base: B) {
       class Mixed extends Base { @IsInt() @Max(3) e?: number; }
       return Mixed;
     }
     // @ts-ignore: see above
     export class ${name} extends ${name}Mixin(${name}Base) { ${fields(own)} }`,
  heldBase: (name, own, base) =>
    `class ${name}Base { ${fields(base)} }
     const ${name}Held: Ctor<{ ${members(base)} }> = ${name}Base;
     // @ts-ignore: see above
     export class ${name} extends ${name}Held { ${fields(own)} }`,
  castBase: (name, own, base) =>
    `class ${name}Base { ${fields(base)} }
     // @ts-ignore: see above
     export class ${name} extends (${name}Base as Ctor<{ ${members(base)} }>) { ${fields(own)} }`,
  farMixin: (name, own, base) =>
    `class ${name}Base { ${fields(base)} }
     const ${name}1 = () => ${name}Base; const ${name}2 = () => ${name}1(); const ${name}3 = () => ${name}2();
     const ${name}4 = () => ${name}3(); const ${name}5 = () => ${name}4();
     const ${name}6 = (): Ctor<{ ${members(base)} }> => ${name}5();
     // @ts-ignore: see above
     export class ${name} extends ${name}6() { ${fields(own)} }`,
  partial: (name, own, base) =>
    `export class ${name}Base { ${fields(base)} }
     // @ts-ignore: see above
     export class ${name} extends PartialType(${name}Base) { ${fields(own)} }`,
  getter: (name, own) =>
    `export class ${name} { ${fields(own)} @IsString() get e(): unknown { return this.${own[0]!.name}; } }`,
  hidden: (name, own) => `export class ${name} { ${fields(own)} @IsInt() private e!: number; }`,
  afterwards: (name, own) =>
    `export class ${name} { ${own.map(({ name: each, type, isOptional }) => `${each}${isOptional ? '?' : '!'}: ${type};`).join(' ')} }
     ${own.flatMap(({ name: each, decorators }) => decorators.map((check) => `${check}(${name}.prototype, '${each}');`)).join(' ')}`,
  classDecorator: (name, own) =>
    `const ${name}Rules = (target: { prototype: object }) => { IsInt()(target.prototype, '${own[0]!.name}'); };
     @${name}Rules export class ${name} { ${fields(own)} }`,
  nested: (name, own, base) =>
    `export class ${name}Child { ${fields(base)} @Allow() f?: string }
     export class ${name} { ${fields(own)} @ValidateNested() @Type(() => ${name}Child) e!: ${name}Child; }`,
  nestedList: (name, own, base) =>
    `export class ${name}Child { ${fields(base)} @Allow() f?: string }
     export class ${name} { ${fields(own)} @ValidateNested({ each: true }) @Type(() => ${name}Child) e!: ${name}Child[]; }`,
  nestedMixin: (name, own, base) =>
    `function ${name}Mixin(): Ctor<{ ${members(base)} }> { class Mixed { ${fields(base)} } return Mixed; }
     export class ${name}Child extends ${name}Mixin() { @Allow() f?: string }
     export class ${name} { ${fields(own)} @ValidateNested() @Type(() => ${name}Child) e!: ${name}Child; }`,
  recursive: (name, own) =>
    `export class ${name} { ${fields(own)} @IsOptional() @ValidateNested() @Type(() => ${name}) e?: ${name}; }`,
  recursiveList: (name, own) =>
    `export class ${name} { ${fields(own)} @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => ${name}) e?: ${name}[]; }`,
  held: (name, own) =>
    `export const ${name} = class { ${fields(own)} }; export type ${name} = InstanceType<typeof ${name}>;`,
};

/** The start of the module that the classes stand in. */
const PREAMBLE = `import { Type } from 'class-transformer';
import { PartialType } from '@nestjs/mapped-types';
import * as validator from 'class-validator';
import { ${[...new Set([...CHECKS.map((check) => /^\w+/.exec(check)![0]), 'ValidateNested'])].filter((name) => name !== 'Short').join(', ')} } from 'class-validator';

type Ctor<T> = new (...args: any[]) => T;
type Json = string | number | null | Json[] | { [key: string]: Json };
enum Side { left = 'a', right = 'c' }
const LIMIT = 2 + 1;
const Short = () => validator.MaxLength(2);
`;

/** Makes classes up. The same seed makes the same classes. */
export function makeUpClasses(count: number, seed: number): MadeUpClass[] {
  const forms = Object.keys(FORMS);
  return fc
    .sample(fc.tuple(properties(1), properties(1)), { numRuns: count, seed })
    .map(([own, base], index) => {
      const form = forms[index % forms.length]!;
      const name = `${form[0]!.toUpperCase()}${form.slice(1)}${index}`;
      return { name, source: FORMS[form]!(name, own, base), declared: [...NAMES, 'e', 'f'] };
    });
}

/** The sources of a project with one tool for each class. */
export function projectOf(classes: readonly MadeUpClass[]): Record<string, string> {
  const names = classes.map(({ name }) => name).join(', ');
  const tools = classes.map(({ name }) => `@McpTool() call${name}(dto: ${name}): void { void dto; }`);
  return {
    'classes.ts': [PREAMBLE, ...classes.map(({ source }) => source)].join('\n'),
    'tools.ts': `import { McpService, McpTool } from '@toolwright/core';
      import { ${names} } from './classes.js';
      @McpService() export class Tools { ${tools.join('\n')} }`,
  };
}
