import { inspectProject } from '../../src/index.js';
import { TemporaryProject } from '../temporary-project.js';

let project: TemporaryProject;
afterEach(() => project.remove());

async function inspect(declared: string, parameter: string) {
  project = new TemporaryProject({
    'src/a.ts': `
      import { McpTool } from '@toolwright/core';
      ${declared}
      export class A { @McpTool() run(${parameter}, dry = false): void {} }`,
  });
  const [entry] = await inspectProject({ project: project.project, cache: false });
  return { input: entry!.input?.properties, found: entry!.diagnostics };
}

const USER = 'interface User { /** @maximum 9 */ id: number; /** @sensitive */ pin: string }';

test.each([
  "User['id'][]",
  "Array<User['id']>",
  "ReadonlyArray<User['id']>",
  "readonly User['id'][]",
  "readonly (User['id'])[]",
  "Set<User['id']>",
  "Array<User['id'] | null>",
  "Array<User['id']>[]",
])('the items of %s keep what the property says', async (type) => {
  const { input, found } = await inspect(USER, `list: ${type}`);
  expect(found).toEqual([]);
  expect(JSON.stringify(input!['list'])).toContain('"maximum":9');
});

test('a mark of @sensitive reaches the items of a list that is written as a name', async () => {
  const { input, found } = await inspect(USER, "list: Array<User['pin']>");
  expect(found).toEqual([]);
  expect(JSON.stringify(input!['list'])).toContain('"writeOnly":true');
});

test.each([
  ['', 'nothing: undefined', 'undefined'],
  ['type Nothing = undefined;', 'nothing: Nothing', 'undefined'],
  ['', 'nothing: void', 'void'],
])('a parameter without a value is refused in words: %s %s', async (declared, parameter, type) => {
  const { found } = await inspect(declared, parameter);
  expect(found).toEqual([
    expect.objectContaining({
      code: 'TW_SCHEMA_NEVER',
      message: expect.stringContaining(`The type is ${type}, and JSON has no value of it.`),
    }),
  ]);
});

test.each(['[string, ...number[], boolean]', '[...number[], string]'])(
  'the build says that %s is taken in any order',
  async (type) => {
    const { found } = await inspect('', `list: ${type}`);
    expect(found).toEqual([
      expect.objectContaining({
        code: 'TW_SCHEMA_TUPLE_ORDER',
        severity: 'warning',
        message: expect.stringContaining(type),
      }),
    ]);
  },
);

test.each(['[string, ...number[]]', '[...string[], string]', '[string, boolean?]'])(
  'the schema of %s has the places of the type',
  async (type) => expect((await inspect('', `list: ${type}`)).found).toEqual([]),
);
