import { buildManifest, inspectProject, type BuildResult } from '../src/index.js';
import { TemporaryProject } from './temporary-project.js';

const before = `import type { ToolContext as Context } from '@toolwright/core';
import * as core from '@toolwright/core';
interface Guests { count: number }
declare const ctx: Context; declare const key: string; declare const maybe: { message: string } | { message: string; schema: object };
const messages: [] = [];
`;

/** A file of the project: its source, and the resulting questions or errors. */
const seen: [string, string, Record<string, string>][] = [
  ['a type argument', `ctx.elicit<Guests>('k', { message: '' })`, { k: 'elicit' }],
  ['a constant for a key', `const K = 'k'; ctx.elicit<Guests>(K, { message: '' })`, { k: 'elicit' }],
  ['a parameter of a function', `(c: core.ToolContext) => c.elicit<Guests>('k', { message: '' })`, { k: 'elicit' }],
  ['a member that was taken out', `const { elicit: ask } = ctx; ask<Guests>('k', { message: '' })`, { k: 'elicit' }],
  ['a field of a service', `class A { constructor(private c: Context) {} b() { return this.c['elicit']<Guests>('k', { message: '' }) } }`, { k: 'elicit' }],
  ['a subclass', `abstract class Own extends core.ToolContext {} (c: Own) => c.elicit<Guests>('k', { message: '' })`, { k: 'elicit' }],
  ['a request that may have a schema', `ctx.elicit<Guests>('k', maybe)`, { k: 'elicit' }],
  ['the same question twice', `ctx.elicit<Guests>('k', { message: 'a' }); ctx.elicit<Guests>('k', { message: 'b' })`, { k: 'elicit' }],
  ['a model', `ctx.sample<Guests>('k', { messages, maxTokens: 1 })`, { k: 'sample' }],
  ['a schema by hand', `ctx.elicit<Guests>(key, { message: '', schema: {} }); ctx.elicit('k', { message: '', url: '' })`, {}],
  ['a sample without a type', `ctx.sample(key, { messages, maxTokens: 1 }); ctx.sample('k', { messages, maxTokens: 1 })`, {}],
  ['a method of the same name', `class Own { elicit<T>(key: string, request: object): T { throw 0 } } new Own().elicit<Guests>('k', { message: '' })`, {}],
  ['a wrapper that is given schemas', `(k: string, r: { message: string; schema: object }) => ctx.elicit(k, r)`, {}],
]; // prettier-ignore

const form = (type: string) => `ctx.elicit<${type}>('k', { message: '' })`;
const refused: [string, string, string][] = [
  ['a key that is computed', `ctx.elicit<Guests>(key, { message: '' })`, 'TW_SCHEMA_QUESTION The key of this elicit is not a constant.'],
  ['no type', `ctx.elicit('k', { message: '' })`, 'TW_SCHEMA_QUESTION The question "k" has neither a type nor a schema.'],
  ['a type parameter', `function f<T>() { return ctx.elicit<T>('k', { message: '' }) }`, 'TW_SCHEMA_QUESTION T of the question "k" is a type parameter, so the compiler does not know it.'],
  ['a key that has another type already', `${form('Guests')}; ctx.elicit<{ a: string }>('k', { message: '' })`, 'TW_SCHEMA_QUESTION The key "k" already belongs to another question, at src/'],
  ['a key that is a model’s as well', `${form('Guests')}; ctx.sample('k', { messages, maxTokens: 1 })`, 'TW_SCHEMA_QUESTION The key "k" already belongs to another question'],
  ['what is no object', form('string'), 'TW_SCHEMA_FORM string: It is no object.'],
  ['an empty object', form('{}'), 'TW_SCHEMA_FORM {}: It has no properties.'],
  ['a dictionary', form('Record<string, string>'), 'TW_SCHEMA_FORM Record<string, string>: It may have properties with any name.'],
  ['an object inside', form('{ a: { b: string } }'), 'TW_SCHEMA_FORM { a: { b: string; }; }.a: It is not a string'],
  ['a list of texts', form('{ a: string[] }'), 'TW_SCHEMA_FORM { a: string[]; }.a: The items of a list must be choices'],
  ['null', form('{ a: string | null }'), 'TW_SCHEMA_FORM { a: string | null; }.a: It may be null'],
  ['choices of numbers', form('{ a: 1 | 2 }'), 'TW_SCHEMA_FORM { a: 1 | 2; }.a: Choices must be strings.'],
  ['a union', form('{ a: string | number }'), 'TW_SCHEMA_FORM { a: string | number; }.a: It is not a string'],
  ['another format', `interface F {
    /** @format uuid */ a: string } ${form('F')}`, 'TW_SCHEMA_FORM F.a: The formats of a form are email, uri, date, date-time.'],
  ['another keyword', `interface F {
    /** @exclusiveMinimum 1 */ a: number } ${form('F')}`, 'TW_SCHEMA_FORM F.a: A form does not support exclusiveMinimum.'],
  ['a secret', `interface F {
    /** @sensitive */ a: string } ${form('F')}`, 'TW_SCHEMA_FORM F.a: A form must not ask for a secret'],
  ['what JSON cannot carry', `ctx.sample<{ a: symbol }>('k', { messages, maxTokens: 1 })`, 'TW_SCHEMA_SYMBOL { a: symbol; }.a: symbol is a symbol.'],
]; // prettier-ignore

const cases = [...seen, ...refused];
/** Keys belong to a package, so each case has its own key. */
const withKey = (title: string, text: string) =>
  text.replaceAll(/(['"])k\1/g, `$1k${cases.findIndex(([each]) => each === title)}$1`);

let built: BuildResult;

beforeAll(async () => {
  const sources = cases.map(([title, source], index) => [
    `src/case${index}.ts`,
    `${before}${withKey(title, source)};\nexport {};`,
  ]);
  const project = new TemporaryProject(Object.fromEntries(sources) as Record<string, string>);
  built = await buildManifest({ project: project.project, cache: false });
  project.remove();
});

const resultOf = (title: string) => {
  const index = cases.findIndex(([each]) => each === title);
  const file = `src/case${index}.ts`;
  const questions = Object.entries(built.manifest.questions ?? {}).filter(
    ([, { location }]) => location.file === file,
  );
  return { index, questions, diagnostics: built.diagnostics.filter((each) => each.file === file) };
};

test.each(seen)('%s', (title, _source, expected) => {
  const { index, questions, diagnostics } = resultOf(title);
  expect(diagnostics).toEqual([]);
  expect(questions.map(([key, { kind }]) => [key, kind])).toEqual(
    Object.entries(expected).map(([key, kind]) => [`${key}${index}`, kind]),
  );
  for (const [, { schema }] of questions)
    expect(built.manifest.schemas[schema]).toMatchObject({
      properties: { count: { type: 'number' } },
      required: ['count'],
    });
});

test.each(refused)('%s is an error', (title, _source, heard) => {
  const { diagnostics } = resultOf(title);
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
    expect.stringContaining(withKey(title, heard)),
  ]);
  expect(diagnostics[0]!.severity).toBe('error');
});

const service = (
  name: string,
  methods: string,
) => `import { McpService, McpTool, type ToolContext } from '@toolwright/core';
@McpService() export class ${name} { ${methods} }
`;

test('inspect attaches the problem of a question to the method above it', async () => {
  const project = new TemporaryProject({
    'src/a.ts': service(
      'First',
      `
      @McpTool() async one(ctx: ToolContext) { await ctx.elicit<{ a: number | null }>('one', { message: '' }) }
      @McpTool() async two(ctx: ToolContext) { await this.ask(ctx) }
      ask(ctx: ToolContext) { return ctx.elicit<{ a: string[] }>('two', { message: '' }) }`,
    ),
    'src/b.ts': service('Second', `@McpTool() three() {}`),
    'src/c.ts': `import type { ToolContext } from '@toolwright/core';
      export const ask = (ctx: ToolContext) => ctx.elicit('three', { message: '' });`,
  });
  const entries = await inspectProject({ project: project.project, cache: false });
  project.remove();
  const heard = entries.map(({ name, diagnostics }) => [
    name,
    diagnostics.map(({ code, file, line }) => `${code} ${file}:${line}`),
  ]);
  expect(heard).toEqual([
    ['one', ['TW_SCHEMA_FORM src/a.ts:3', 'TW_SCHEMA_QUESTION src/c.ts:2']],
    ['two', ['TW_SCHEMA_FORM src/a.ts:5']],
    ['three', []],
  ]);
});
