import { symlinkSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inspectProject, type InspectedEntry } from '../src/index.js';
import { TemporaryProject } from './temporary-project.js';

/** The source of a tool, and what is reported about it: `code`, then words of the message. */
interface Row {
  title: string;
  /** The text between the parentheses of the method. */
  parameters: string;
  /** Declarations before the class. */
  before?: string;
  docs?: string;
  heard: string[];
}

const live = (title: string, parameters: string, before = ''): Row => ({
  title,
  parameters,
  before,
  heard: [`TW_SCHEMA_LIVE_OBJECT ${parameters.split(':')[0]!}: `],
});

/** Objects that live in the process, by the declarations of their packages. */
const liveRows: Row[] = [
  live('the request of an Express handler', 'req: Request', `import type { Request } from 'express';`),
  live(
    'such a request with a member more',
    'req: Request & { user: string }',
    `import type { Request } from 'express';`,
  ),
  live('a stream of Node', 'input: Readable', `import type { Readable } from 'node:stream';`),
  live('a stream to write to', 'output: Writable', `import type { Writable } from 'node:stream';`),
  live('a socket', 'socket: Socket', `import type { Socket } from 'node:net';`),
  live('a request of Node', 'message: IncomingMessage', `import type { IncomingMessage } from 'node:http';`),
  live('a web request', 'request: Request'),
  live('a web response', 'response: Response'),
  live('a web stream', 'stream: ReadableStream'),
  live('a generator', 'lines: Generator<string>'),
  live('a blob', 'blob: Blob'),
  live('a database client, by its name', 'db: DataSource', `import type { DataSource } from 'typeorm';`),
  live('a database client that can be called', 'db: Knex', `import type { Knex } from 'knex';`),
  live('a pool', 'pool: Pool', `import type { Pool } from 'pg';`),
  live(
    'the client that Prisma generated here',
    'prisma: PrismaClient',
    `export declare class PrismaClient { $connect(): Promise<void>; $disconnect(): Promise<void>; note: object }`,
  ),
  live(
    'the client of a service, mostly methods',
    'mail: MailClient',
    `import type { MailClient } from 'mail';`,
  ),
  {
    title: 'a live object deep inside of an own type',
    parameters: 'job: Job, id: string',
    before: `import type { Readable } from 'node:stream'; interface Job { parts: { input: Readable }[] }`,
    heard: ['TW_SCHEMA_LIVE_OBJECT job.parts[].input: Readable is '],
  },
];

const dataRows: Row[] = [
  { title: 'an own class with methods, which the server may provide', parameters: 'bus: Bus, id: string',
    before: `export class Bus { on() {} emit() {} removeListener() {} }`, heard: [] },
  { title: 'a value of another package with a toJSON', parameters: 'price: Money', before: `import { Money } from 'mail';`, heard: [] },
  { title: 'an enum with a computed member', parameters: 'size: Size', before: `enum Size { S = 1, L = 'abc'.length }`, heard: ['TW_SCHEMA_OPEN_ENUM size: Size has a computed member.'] },
  { title: 'one constant member of such an enum', parameters: 'size: Size.S', before: `enum Size { S = 1, L = 'abc'.length }`, heard: [] },
  { title: 'accessors of a class', parameters: 'login: Login, id: string',
    before: `export class Login { id!: string; accessor pin!: string; get age() { return 1; } set age(value: number) {} }`,
    heard: ['TW_SCHEMA_ACCESSOR login: pin is an accessor.', 'TW_SCHEMA_ACCESSOR login: age is an accessor.'] },
  { title: 'accessors that are no data', parameters: 'login: Login, id: string',
    before: `export class Login { id!: string; get name() { return this.id; } private accessor hidden = 1; static accessor all = 1 }`, heard: [] },
  { title: 'a list that is only walked through', parameters: 'lines: Iterable<string>, id: string', heard: [] },
  { title: 'a default that the code has as well', parameters: `/** @default 10 */ s = '10', /** @default [1, 2] */ list = [1, 2]`, heard: [] },
  { title: 'a default of an alias beside that of the code', parameters: 'n: Size = 6', before: '/** @default 5 */ type Size = number;', heard: [] },
  { title: 'an object without properties', parameters: 'none: Record<string, never>, id: string', heard: [] },
  { title: 'what another package may leave out', parameters: 'message: Message, id: string',
    before: `import type { Message } from 'mail';`, heard: [] },
  { title: 'doc tags of another package that are no constraints', parameters: 'options: Options, id: string',
    before: `import type { Options } from 'mail';`, heard: [] },
]; // prettier-ignore

const tagRows: Row[] = [
  { title: 'a tag of another type', parameters: '/** @minLength 2 */ amount: number', heard: ['TW_SCHEMA_TAG_TYPE amount: @minLength does nothing on a value of the type number'] },
  { title: 'a tag of another type, deep down', parameters: 'a: A, id: string', before: `interface A { b: { /** @minimum 1 */ name: string }[] }`, heard: ['TW_SCHEMA_TAG_TYPE a.b[].name: @minimum'] },
  { title: 'a tag near a known one', parameters: '/** @minimun 1 */ n: number', heard: ['TW_SCHEMA_LOST_RULE n: @minimun is unknown; did you mean @minimum?'] },
  { title: 'a @param of no parameter', parameters: 'q: string', docs: '@param query words', heard: ['TW_SCHEMA_UNKNOWN_PARAM @param query names no parameter of run.'] },
  { title: 'a @param of no property', parameters: 'q: string', docs: '@param q.deep words', heard: ['TW_SCHEMA_UNKNOWN_PARAM @param q.deep names no property of the parameter.'] },
  { title: 'a @param of no property and without words', parameters: 'q: string', docs: '@param q.deep', heard: ['TW_SCHEMA_UNKNOWN_PARAM @param q.deep names no property of the parameter.'] },
  { title: 'a misspelt mark', parameters: '/** @Sensitive */ pin: string', heard: ['TW_SCHEMA_LOST_RULE pin: @Sensitive is unknown; did you mean @sensitive?'] },
  { title: 'tags that tsoa has for types', parameters: '/** @isDate */ day: string, /** @isFloat must be one */ n: number, /** @isString */ s: string, /** @isDateTime */ at: string, /** @isInt */ count: number', heard: ['TW_SCHEMA_UNKNOWN_TAG day: @isDate is unknown; did you mean @format date?', 'TW_SCHEMA_UNKNOWN_TAG n: @isFloat is unknown; did you mean @TJS-type number?', 'TW_SCHEMA_UNKNOWN_TAG s: @isString is unknown; did you mean @TJS-type string?', 'TW_SCHEMA_UNKNOWN_TAG at: @isDateTime is unknown; did you mean @format date-time?', 'TW_SCHEMA_UNKNOWN_TAG count: @isInt is unknown; did you mean @TJS-type integer?'] },
  { title: 'a misspelt tag that holds nobody to anything', parameters: '/** @defualt 1 */ n?: number', heard: ['TW_SCHEMA_UNKNOWN_TAG n: @defualt is unknown; did you mean @default?'] },
  { title: 'a limit with words behind it', parameters: '/** @minimum 1 at least */ n: number', heard: ['TW_SCHEMA_LOST_RULE n: @minimum cannot have the value "1 at least".'] },
  { title: 'a limit that JavaScript rounds', parameters: '/** @minimum 9007199254740993 */ n: bigint', heard: ['TW_SCHEMA_LOST_RULE n: @minimum cannot have the value "9007199254740993".'] },
  { title: 'a length in place of the schema of items', parameters: '/** @items 3 */ list: string[]', heard: ['TW_SCHEMA_TAG_VALUE list: @items cannot have the value "3".'] },
  { title: 'a pattern in slashes', parameters: '/** @pattern /^[A-Z]+$/ */ s: string', heard: ['TW_SCHEMA_LOST_RULE s: @pattern /^[A-Z]+$/ matches nothing'] },
  { title: 'a pattern with words behind it', parameters: '/** @pattern ^[a-z]+$ letters only */ s: string', heard: ['TW_SCHEMA_LOST_RULE s: @pattern ^[a-z]+$ letters only matches nothing'] },
  { title: 'a pattern with a literal dollar', parameters: '/** @pattern ^\\$ [a-z]+$ */ s: string', heard: [] },
  { title: 'a value that a tag cannot have', parameters: '/** @minimum lots */ n: number', heard: ['TW_SCHEMA_LOST_RULE n: @minimum cannot have the value "lots".'] },
  { title: 'a type that is none', parameters: '/** @type {string} */ n: number', heard: ['TW_SCHEMA_TAG_VALUE n: @type {string} is none of string'] },
  { title: 'a pattern that is none', parameters: '/** @pattern [ */ s: string', heard: ['TW_SCHEMA_PATTERN s: @pattern [ is not a valid expression.'] },
  { title: 'a length below nothing', parameters: '/** @minLength -1 */ s: string', heard: ['TW_SCHEMA_LOST_RULE s: @minLength cannot have the value "-1".'] },
  { title: 'half an item', parameters: '/** @minItems 1.5 */ list: string[]', heard: ['TW_SCHEMA_LOST_RULE list: @minItems cannot have the value "1.5".'] },
  { title: 'a multiple of nothing', parameters: '/** @multipleOf 0 */ n: number', heard: ['TW_SCHEMA_LOST_RULE n: @multipleOf cannot have the value "0".'] },
  { title: 'a default that is not the one of the code', parameters: '/** @default 5 */ n = 6', heard: ['TW_SCHEMA_DEFAULT n: @default says 5, but the code says 6. The schema has the default of the code.'] },
  { title: 'a wrong default beside a right one of the code', parameters: `/** @default green */ c: 'red' | 'blue' = 'red'`, heard: ['TW_SCHEMA_DEFAULT c: @default says "green", but the code says "red"'] },
  { title: 'a default whose properties do not fit', parameters: 'q: Query, s: string', before: 'interface Query { /** @default {"x": "y"} */ p?: { x: number } }', heard: ['TW_SCHEMA_DEFAULT q.p: The default {"x":"y"} does not fit'] },
  { title: 'a default of another type', parameters: '/** @default lots */ n?: number', heard: ['TW_SCHEMA_DEFAULT n: The default "lots" does not fit type "number".'] },
  { title: 'a default that is no choice', parameters: `/** @default green */ c?: 'red' | 'blue'`, heard: ['TW_SCHEMA_DEFAULT c: The default "green" does not fit'] },
  { title: 'a default below the bounds', parameters: '/** @minimum 5 @default 1 */ n?: number', heard: ['TW_SCHEMA_DEFAULT n: The default 1 does not fit minimum 5'] },
  { title: 'an initialiser above the bounds', parameters: '/** @maximum 10 */ n = 20', heard: ['TW_SCHEMA_DEFAULT n: The default 20 does not fit maximum 10'] },
  { title: 'a default that is too short', parameters: `/** @minLength 2 */ s = 'a'`, heard: ['TW_SCHEMA_DEFAULT s: The default "a" does not fit minLength 2'] },
  { title: 'a default in a list', parameters: `/** @items.minimum 1 @default [0] */ list?: number[]`, heard: ['TW_SCHEMA_DEFAULT list: The default [0] does not fit'] },
  { title: 'a default of an alias that has bounds', parameters: '/** @default 0 */ n?: Positive', before: `/** @minimum 1 */ type Positive = number;`, heard: ['TW_SCHEMA_DEFAULT n: The default 0 does not fit'] },
  { title: 'bounds that cross', parameters: '/** @minimum 5 @maximum 1 */ n: number', heard: ['TW_SCHEMA_BOUNDS n: No value fits minimum 5 and maximum 1.'] },
  { title: 'lengths that cross', parameters: '/** @minLength 5 @maxLength 1 */ s: string', heard: ['TW_SCHEMA_BOUNDS s: No value fits minLength 5 and maxLength 1.'] },
  { title: 'exclusive bounds that meet', parameters: '/** @exclusiveMinimum 1 @maximum 1 */ n: number', heard: ['TW_SCHEMA_BOUNDS n: No value fits exclusiveMinimum 1 and maximum 1.'] },
  { title: 'a format that is unknown', parameters: '/** @format e-mail */ s: string', heard: ['TW_SCHEMA_FORMAT s: @format e-mail is unknown'] },
  { title: 'a format at a number', parameters: '/** @format email */ n: number', heard: ['TW_SCHEMA_FORMAT n: @format email does nothing on a value of the type number.'] },
  { title: 'a parameter called __proto__', parameters: '__proto__: string, id: string', heard: ['TW_SCHEMA_PROTO The parameter is called __proto__.'] },
  { title: 'a property called __proto__', parameters: 'a: { __proto__: string; b: string }, id: string', heard: ['TW_SCHEMA_PROTO a: A property is called __proto__.'] },
  { title: 'a type that says nothing', parameters: 'a: { b: any[] }, id: string', heard: ['TW_SCHEMA_UNTYPED a.b[]: The type is any.'] },
  { title: 'the same in two places of one type', parameters: 'loose: Loose, id: string', before: `interface Loose { a: any; b: Loose2 } type Loose2 = any;`, heard: ['TW_SCHEMA_UNTYPED loose.a: The type is any.', 'TW_SCHEMA_UNTYPED loose.b: The type is any.'] },
  { title: 'a foreign type that says nothing in places', parameters: 'loose: Loose, some: Partial<Loose>, list: (string | Loose)[]', before: `import type { Loose } from 'mail';`, heard: [] },
  { title: 'a foreign type that is told nothing', parameters: 'page: Page<any>, page2: Page<{ a: any }>, id: string', before: `import type { Page } from 'mail';`, heard: ['TW_SCHEMA_UNTYPED page.items[]: The type is any.', 'TW_SCHEMA_UNTYPED page2.items[].a: The type is any.'] },
  { title: 'a foreign type that is made to say nothing', parameters: "page: { [K in keyof Page<string>]: any }, id: string", before: `import type { Page } from 'mail';`, heard: ['TW_SCHEMA_UNTYPED page.items (and 1 more): The type is any.'] },
]; // prettier-ignore

const dto = (lines: string) =>
  `import { IsInt, IsString, IsEmail, Max, MaxLength, ArrayMinSize, Min, IsOptional } from 'class-validator'; export class Dto { ${lines} }`;
const nested = (item: string, lines: string) =>
  `import { IsCreditCard, IsEmail, ValidateNested } from 'class-validator'; import { Type } from 'class-transformer'; ${item} export class Dto { ${lines} }`;
const decoratorRows: Row[] = [
  { title: 'a decorator against the type', parameters: 'dto: Dto', before: dto('@IsInt() b!: string;'), heard: ['TW_SCHEMA_DECORATOR_TYPE dto.b: @IsInt accepts only values of the type number, but the type is string.'] },
  { title: 'a decorator against the type of items', parameters: 'dto: Dto', before: dto('@IsString({ each: true }) b!: number[];'), heard: ['TW_SCHEMA_DECORATOR_TYPE dto.b: @IsString'] },
  { title: 'a decorator for lists at a text', parameters: 'dto: Dto', before: dto('@ArrayMinSize(1) b!: string;'), heard: ['TW_SCHEMA_DECORATOR_TYPE dto.b: @ArrayMinSize'] },
  { title: 'a tag against a decorator', parameters: 'dto: Dto', before: dto('/** @maximum 10 */ @Max(20) b!: number;'), heard: ['TW_SCHEMA_TAG_CONFLICT dto.b: The tag @maximum 10 differs from the decorator: @Max, which says maximum 20.'] },
  { title: 'decorators that cross', parameters: 'dto: Dto', before: dto('@Min(5) @Max(1) b!: number;'), heard: ['TW_SCHEMA_BOUNDS dto.b: No value fits minimum 5'] },
  { title: 'an initialiser outside of a decorator', parameters: 'dto: Dto', before: dto('@IsOptional() @MaxLength(2) b = "long";'), heard: ['TW_SCHEMA_DEFAULT dto.b: The default "long"'] },
  { title: 'nested values of no class', parameters: 'dto: Dto', before: nested('export interface Item { a: string }', '@ValidateNested() b!: Item;'), heard: ['TW_SCHEMA_NESTED dto.b: class-validator refuses its values.'] },
  { title: 'nested items of no class', parameters: 'dto: Dto', before: nested('', '@ValidateNested({ each: true }) b!: { a: string }[];'), heard: ['TW_SCHEMA_NESTED dto.b: class-validator refuses its values.'] },
  { title: 'a nested class that nobody exports', parameters: 'dto: Dto', before: nested('class Item { @IsCreditCard() a!: string }', '@ValidateNested() b!: Item;'), heard: ['TW_SCHEMA_UNPUBLISHED dto.b.a: @IsCreditCard', 'TW_SCHEMA_HIDDEN_CLASS Item validates its values, but no module exports it.'] },
  { title: 'such a class behind @Type', parameters: 'dto: Dto', before: nested('class Item { @IsEmail() a!: string }', '@ValidateNested() @Type(() => Item) b!: Item;'), heard: [] },
  { title: 'a nested class without @Type', parameters: 'dto: Dto', before: nested('export class Item { @IsEmail() a!: string }', '@ValidateNested() b!: Item; @ValidateNested({ each: true }) c!: Item[];'), heard: [] },
  { title: 'tags and decorators that agree', parameters: 'dto: Dto', before: dto('/** @maximum 20 */ @IsInt() @Max(20) b!: number; @IsEmail() c!: string; @IsInt() d?: number | null; @IsString({ each: true }) e!: string[]'), heard: [] },
]; // prettier-ignore

const rows = [...liveRows, ...dataRows, ...tagRows, ...decoratorRows];
const packages: Record<string, string> = {
  express: `import { IncomingMessage } from 'node:http'; export interface Request extends IncomingMessage { body: any; params: object }`,
  typeorm: `export declare class DataSource { readonly name: string; options: object; query(sql: string): Promise<any>; }`,
  knex: `export interface Knex<R = any> { (table: string): R; raw(sql: string): Promise<R>; client: any }`,
  pg: `import { EventEmitter } from 'node:events'; export declare class Pool extends EventEmitter { totalCount: number; query(sql: string): Promise<any>; }`,
  mail: `
    import { Agent } from 'node:http';
    export declare class Outbox { list(): string[]; clear(): void; }
    export declare class MailClient { readonly url: string; outbox: Outbox; send(to: string): Promise<void>; close(): void; get(id: string): string; }
    export declare class Money { amount: number; plus(other: Money): Money; minus(other: Money): Money; toJSON(): string; }
    export interface Message { to: string; body: string | NodeJS.ReadableStream | (() => string); agent?: Agent; hooks?: (() => void)[]; signal?: AbortSignal; }
    export interface Loose { a: any; b: any[]; meta?: Record<string, unknown>; inner: { c: unknown }; keys: { [key: string]: any } }
    export interface Page<T> { items: T[]; next: string }
    export interface Options {
      /** @minLength 2 @minimun 3 @default lots @pattern [ @format e-mail @type {number} @example send(1) */
      retries?: number;
      /** @enum {string} @default 'fast' @id 12 */
      mode?: string;
      /** @default undefined */
      name?: string;
    }`,
};

let project: TemporaryProject;
let entries: InspectedEntry[];

beforeAll(async () => {
  const files = Object.entries(packages).flatMap(([name, text]) => [
    [`node_modules/${name}/package.json`, JSON.stringify({ name, types: 'index.d.ts' })],
    [`node_modules/${name}/index.d.ts`, text],
  ]);
  const sources = rows.map(({ before = '', docs = '', parameters }, index) => [
    `src/row${index}.ts`,
    `import { McpTool } from '@toolwright/core';
     ${before}
     export class Row${index} {
       /**
        * Runs.
        * ${docs}
        */
       @McpTool({ name: 'run${index}' })
       run(${parameters}): void {}
     }`,
  ]);
  project = new TemporaryProject(Object.fromEntries([...files, ...sources]) as Record<string, string>, {
    types: ['node'],
  });
  for (const name of ['@types/node', 'class-validator', 'class-transformer']) link(name);
  entries = await inspectProject({ project: project.project, cache: false });
});
afterAll(() => project.remove());

test.each(rows.map((row, index) => [row.title, index] as const))('%s', (_title, index) => {
  const entry = entries.find(({ name }) => name === `run${index}`)!;
  const found = entry.diagnostics.map(({ code, message }) => `${code} ${message}`);
  const { heard } = rows[index]!;
  expect(found).toEqual(heard.map((start) => expect.stringContaining(start)));
  expect(found.every((each, place) => each.startsWith(heard[place]!))).toBe(true);
});

test('each problem is reported at its place, with what to write instead', () => {
  for (const { diagnostics } of entries)
    for (const { file, line, column, message } of diagnostics) {
      expect(file).toMatch(/^src\/row\d+\.ts$/);
      expect([line, column].every((each) => each > 0)).toBe(true);
      expect(message).toMatch(/[.?] [A-Z].*\.$/s);
    }
});

const inputOf = (title: string) =>
  entries.find(({ name }) => name === `run${rows.findIndex((row) => row.title === title)}`)!.input
    .properties!;

test('an object without properties accepts none', () => {
  expect(inputOf('an object without properties')['none']).toEqual({
    type: 'object',
    additionalProperties: false,
  });
});

test('a default that does not match is not published', () => {
  expect(inputOf('an initialiser above the bounds')).toEqual({ n: { type: 'number', maximum: 10 } });
});

test('of a comment of another package, only what matches the type is published', () => {
  expect(inputOf('doc tags of another package that are no constraints')['options']).toMatchObject({
    properties: {
      retries: { type: 'number' },
      mode: { type: 'string', default: 'fast' },
      name: { type: 'string' },
    },
  });
});

test('of alternatives of another package, only those that a client can send are published', () => {
  expect(inputOf('what another package may leave out')['message']).toEqual({
    type: 'object',
    properties: { to: { type: 'string' }, body: { type: 'string' } },
    required: ['body', 'to'],
    additionalProperties: false,
  });
});

function link(name: string): void {
  const target = [join(__dirname, '../node_modules', name), join(__dirname, '../../../node_modules', name)];
  const place = join(project.root, 'node_modules', name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(dirname(require.resolve(`${name}/package.json`, { paths: target.map(dirname) })), place, 'dir');
}
