import type { JsonSchema } from '@toolwright/json';
import { inspectProject } from '../../src/index.js';
import { TemporaryProject } from '../temporary-project.js';

/** Packages with types of the same shape as those of Decimal, Dayjs, an OAuth client and MongoDB's filter. */
const PACKAGES = {
  'decimal.js':
    'export declare class Decimal { readonly d: number[]; constructor(n: string | number); plus(n: Decimal): Decimal; toJSON(): string; }',
  dayjs:
    'declare namespace dayjs { class Dayjs { constructor(config?: string); format(): string; } } export = dayjs;',
  money:
    'export declare class Money { private cents; constructor(); add(other: Money): Money; readonly currency: string; }',
  oauth:
    'export declare class Client { on(e: string): this; emit(e: string): boolean; removeListener(e: string): this; id: string; }',
  chart: `import { Client } from 'oauth';
    export interface Options { auth?: string | Client; hooks?: ((() => void) | ((x: number) => void))[]; fill: boolean | ((ctx: number) => boolean); size: number | undefined; only?: Client }`,
  filter: `export type WithId<T> = Omit<T, '_id'> & { _id: string };
    export type Condition<T> = T | { $eq?: T; $in?: readonly T[] };
    export interface Root<T> { $and?: Filter<T>[]; $or?: Filter<T>[]; $where?: string | ((this: T) => boolean) }
    export type Filter<T> = { [P in keyof WithId<T>]?: Condition<WithId<T>[P]> } & Root<WithId<T>>;`,
};

const chain = Array.from(
  { length: 200 },
  (_, index) => `interface C${index} { next: C${index + 1}; v${index}: string }`,
);

const SOURCE = `
import { McpService, McpTool } from '@toolwright/core';
import type { Decimal } from 'decimal.js';
import type { Dayjs } from 'dayjs';
import type { Money } from 'money';
import type { Client } from 'oauth';
import type { Options } from 'chart';
import type { Filter } from 'filter';

interface Own { auth?: string | Client; hooks?: ((() => void) | ((x: number) => void))[]; fill: boolean | ((ctx: number) => boolean);
  size: number | undefined; price?: Decimal; total: Decimal | string; client: Client | undefined }
interface User { name: string; age: number; address: { city: string } }
${chain.join('\n')}
interface C200 { end: string }

@McpService() export class Tools {
  @McpTool() own(value: Own, x: number): void {}
  @McpTool() foreign(value: Options, x: number): void {}
  @McpTool() decimal(value: { amount: Decimal }, x: number): void {}
  @McpTool() dayjs(value: { at: Dayjs }, x: number): void {}
  @McpTool() money(value: Money[], x: number): void {}
  @McpTool() chain(value: C0, x: number): void {}
  @McpTool() find(value: Filter<User>, x: number): void {}
}`;

let project: TemporaryProject;
const found = new Map<string, { value: JsonSchema; errors: string[] }>();

beforeAll(async () => {
  const files: Record<string, string> = { 'src/tools.ts': SOURCE };
  for (const [name, types] of Object.entries(PACKAGES)) {
    files[`node_modules/${name}/package.json`] = JSON.stringify({ name, types: 'index.d.ts' });
    files[`node_modules/${name}/index.d.ts`] = types;
  }
  project = new TemporaryProject(files);
  for (const { name, input, diagnostics } of await inspectProject({
    project: project.project,
    cache: false,
  })) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    found.set(name, { value: input.properties!['value']!, errors });
  }
}, 60_000);

afterAll(() => project.remove());

test.each(['own', 'foreign'])(
  'what no client can send is left out where something else is possible: %s',
  (name) => {
    const { value, errors } = found.get(name)!;
    expect(errors).toEqual([]);
    expect(value.properties).toMatchObject({
      auth: { type: 'string' },
      fill: { type: 'boolean' },
      size: { type: 'number' },
    });
    for (const gone of ['hooks', 'only', 'price', 'client'])
      expect(value.properties).not.toHaveProperty(gone);
    expect(value.required).toEqual(name === 'own' ? ['fill', 'total'] : ['fill']);
  },
);

test('an alternative that is a class of a package is left out', () => {
  expect(found.get('own')!.value.properties).toMatchObject({ total: { type: 'string' } });
});

test('the build refuses a class whose instances only its own code creates, and says what to write', () => {
  expect(found.get('decimal')!.errors.join()).toContain(
    'value.amount: Decimal is a class of decimal.js. Take a string and write new Decimal(text)',
  );
  expect(found.get('dayjs')!.errors.join()).toContain(
    'value.at: Dayjs is a class of dayjs. Take a Date and write dayjs(date)',
  );
  expect(found.get('money')!.errors.join()).toContain('Money is a class of money. Take its JSON form');
});

test('a long chain of types has an end', () => {
  expect(found.get('chain')!.errors).toEqual([]);
  expect(JSON.stringify(found.get('chain')!.value)).toContain('"end"');
});

test('a type whose type argument grows, but not its values, is one type', () => {
  const { value, errors } = found.get('find')!;
  expect(errors).toEqual([]);
  expect(JSON.stringify(value).length).toBeLessThan(10_000);
});
