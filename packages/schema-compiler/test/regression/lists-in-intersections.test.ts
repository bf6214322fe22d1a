import { inspectProject } from '../../src/index.js';
import { TemporaryProject } from '../temporary-project.js';

let project: TemporaryProject;
afterEach(() => project.remove());

const named = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
  additionalProperties: false,
};
const both = {
  ...named,
  properties: { name: { type: 'string' }, at: { type: 'string', format: 'date-time' } },
  required: ['at', 'name'],
};

const pair = {
  type: 'array',
  prefixItems: [{ type: 'string' }, { type: 'number' }],
  minItems: 2,
  maxItems: 2,
};
const strings = { type: 'array', items: { type: 'string' } };

test.each([
  ['string[] & any[]', strings],
  ['any[] & string[]', strings],
  ['string[] & unknown[]', strings],
  ["string[] & { readonly brand: 'names' }", strings],
  ['Pair & [string, number]', pair],
  ['readonly [string, number] & Pair & Again', pair],
  ["({ it: Pair } & { it?: [string, number] })['it']", pair],
  ['Names & string[]', strings],
  ['any[] & { length: 2 }', { type: 'array', items: {} }],
])('%s is a list, and not an object with the methods of lists', async (type, schema) => {
  project = new TemporaryProject({
    'src/a.ts': `
      import { McpTool } from '@toolwright/core';
      type Pair = [string, number];
      type Again = Pair;
      type Names = string[];
      export class A {
        @McpTool() run(names: ${type}): { names: ${type} } { return { names }; }
      }`,
  });
  const [entry] = await inspectProject({ project: project.project, cache: false });
  expect(entry!.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(entry!.input.properties!.names).toEqual(schema);
  expect(entry!.output!.properties!.names).toEqual(schema);
});

test('in an intersection of lists with item types, each item has all of these types', async () => {
  project = new TemporaryProject({
    'src/a.ts': `
      import { McpTool } from '@toolwright/core';
      interface Named { name: string }
      export class A {
        @McpTool() run(list: Named[] & { at: Date }[]): Named[] & readonly { at: Date }[] { return list; }
      }`,
  });
  const [entry] = await inspectProject({ project: project.project, cache: false });
  expect(entry!.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(entry!.input.properties!.list).toEqual({ type: 'array', items: both });
  // Undeclared properties of a result are left out when it is sent.
  const { additionalProperties: _closed, ...open } = both;
  expect(entry!.output!.items).toEqual(open);
  expect(JSON.stringify(entry!.revive)).toContain('"date"');
});

test('intersections of lists without possible items, and of tuples, are refused', async () => {
  project = new TemporaryProject({
    'src/a.ts': `
      import { McpTool } from '@toolwright/core';
      export class A {
        @McpTool() none(list: string[] & number[]): void {}
        @McpTool() pair(pair: [{ a: string }] & [{ b: string }]): void {}
      }`,
  });
  const entries = await inspectProject({ project: project.project, cache: false });
  const heard = entries.map(
    ({ diagnostics }) => diagnostics.find(({ severity }) => severity === 'error')?.message,
  );
  expect(heard[0]).toContain('The type is never.');
  expect(heard[1]).toContain('Write one tuple, such as [A & B].');
});
