import type { JsonSchema } from '@toolwright/json';
import type { ToolContract } from '../contract/lock-file.js';
import { writeClient } from './write-client.js';

const text: JsonSchema = { type: 'string' };
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const object = (properties: Record<string, JsonSchema>, others: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...others,
});

const person = object({ name: text, friends: list(ref('Person')) });
const $defs = { Page: object({ title: text, author: ref('Person') }), Person: person };
const tool = (
  name: string,
  outputSchema: JsonSchema,
  inputSchema: JsonSchema = object({}),
): ToolContract => ({
  name,
  inputSchema: { additionalProperties: false, ...inputSchema },
  outputSchema,
});

/** The names of the types that a module declares, in order. */
const declared = (module: string) =>
  [...module.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);

test('a type that several tools share is declared once, under its own name', () => {
  const module = writeClient(
    [
      tool('read_page', object({ page: ref('Page') }, { $defs })),
      tool('list_pages', object({ pages: list(ref('Page')) }, { $defs })),
      // The same type in arguments is a closed object.
      tool(
        'write_page',
        text,
        object(
          { page: ref('Page') },
          {
            $defs: {
              Page: { ...$defs.Page, additionalProperties: false },
              Person: { ...person, additionalProperties: false },
            },
          },
        ),
      ),
    ],
    'Pages',
  );
  expect(declared(module)).toEqual([
    'ReadPageResult',
    'Page',
    'Person',
    'ListPagesResult',
    'WritePageArguments',
    'WritePageResult',
  ]);
  expect(module).toContain('  pages: Page[];');
  expect(module).toContain('export type WritePageArguments = ReadPageResult;');
});

test('different types with the same name get the names of their tools', () => {
  const other = { Page: object({ number: { type: 'integer' } }) };
  const module = writeClient(
    [
      tool('read_page', object({ page: ref('Page') }, { $defs })),
      tool('print', object({ pages: list(ref('Page')) }, { $defs: other })),
    ],
    'Pages',
  );
  expect(declared(module)).toEqual(['ReadPageResult', 'ReadPagePage', 'Person', 'PrintResult', 'PrintPage']);
});

test('types are different if the types that they refer to are different', () => {
  const strange = { ...$defs, Person: object({ id: text }) };
  const module = writeClient(
    [
      tool('one', object({ page: ref('Page') }, { $defs })),
      tool('two', object({ page: ref('Page') }, { $defs: strange })),
    ],
    'Pages',
  );
  expect(declared(module)).toEqual([
    'OneResult',
    'OnePage',
    'OnePerson',
    'TwoResult',
    'TwoPage',
    'TwoPerson',
  ]);
});

test('a type with the same name as one of the module gets a number', () => {
  const module = writeClient(
    [tool('a', object({ e: ref('Error') }, { $defs: { Error: object({ code: text }) } }))],
    'Pages',
  );
  expect(declared(module)).toEqual(['AResult', 'Error2']);
});

test.each(['$defs', 'definitions'])(
  'thousands of %s that refer to each other are written once each',
  (key) => {
    const count = 5_000;
    const name = (index: number) => `T${index % count}`;
    const chain = (last: JsonSchema) =>
      Object.fromEntries(
        Array.from({ length: count }, (_each, index) => [
          name(index),
          object({ value: text, next: index === count - 1 ? last : ref(name(index + 1)) }),
        ]),
      );
    let reads = 0;
    const counted = new Proxy(chain(text), {
      get(target, key: string) {
        reads++;
        return target[key];
      },
    });
    for (const definitions of [counted, chain(ref('T0'))]) {
      const input = object({ start: ref('T0') }, { [key]: definitions });
      const module = writeClient([tool('walk', input)], 'Walk');
      expect(declared(module)).toHaveLength(count + 1);
    }
    // Each definition is looked at a few times, however many others it leads to.
    expect(reads).toBeLessThan(20 * count);
  },
);
