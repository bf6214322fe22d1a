import { inspectProject } from '../../src/index.js';
import { TemporaryProject } from '../temporary-project.js';

let project: TemporaryProject;
afterEach(() => project.remove());

const strings = { type: 'array', items: { type: 'string' } };

test.each([
  ['string[] & any[]', strings],
  ['any[] & string[]', strings],
  ['string[] & unknown[]', strings],
  ["string[] & { readonly brand: 'names' }", strings],
  ['any[] & { length: 2 }', { type: 'array', items: {} }],
])('%s is a list, and not an object with the methods of lists', async (type, schema) => {
  project = new TemporaryProject({
    'src/a.ts': `
      import { McpTool } from '@toolwright/core';
      export class A {
        @McpTool() run(names: ${type}): { names: ${type} } { return { names }; }
      }`,
  });
  const [entry] = await inspectProject({ project: project.project, cache: false });
  expect(entry!.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(entry!.input.properties!.names).toEqual(schema);
  expect(entry!.output!.properties!.names).toEqual(schema);
});
