/* eslint-disable @typescript-eslint/no-require-imports -- the tables are changed before other modules read them */
import type { MethodRecord } from '@toolwright/wire/methods';
import type { KindRecord } from '../src/boot/kinds/kind-record.js';
import type { MethodHandler } from '../src/requests/active-request.js';

/**
 * A kind of operations that no revision has. In the source it would take six files, and each has its place here:
 * 1. `base/operation-kinds.ts` of ground, its facts
 * 2. `call/operation/operation.ts` of ground, its type (this test has none)
 * 3. `decorators/`, its decorator (this test adds its operations at run time)
 * 4. `boot/kinds/`, its record
 * 5. `boot/registry/kinds.ts`, its lines
 * 6. `index.ts`, its names
 * Its methods are in `methods.ts` of wire and `requests/methods/`, with a line in `protocol/create-protocol.ts`.
 * What it needs beside them would have to change other files.
 */
const tables = {
  ...(require('@toolwright/ground/base/operation-kinds') as {
    operationKinds: any;
    kindNames: any;
    listCapabilities: any;
  }),
};
tables.operationKinds.recipe = {
  noun: 'recipe',
  plural: 'recipes',
  collection: 'recipes',
  capability: 'recipes',
  isAlwaysOffered: false,
  decorator: '@McpRecipe',
  address: 'name',
  verb: 'Cook',
  arguments: 'text',
  publishesSchemas: false,
  hasHints: false,
  answer: 'contents',
  isCleaned: false,
  failure: 'error',
  attribute: 'mcp.recipe.name',
};
tables.kindNames.push('recipe');
tables.listCapabilities.push('recipes');

const methods = require('@toolwright/wire/methods') as {
  protocolMethods: Record<string, MethodRecord>;
  operationMethods: string[];
};
Object.assign(methods.protocolMethods, {
  'recipes/list': { capability: 'recipes', parameters: { cursor: 'plain' } },
  'recipes/cook': { capability: 'recipes', calls: 'recipe', parameters: { name: 'name' } },
});
methods.operationMethods.push('recipes/list', 'recipes/cook');

// These read the tables when they are loaded.
const { definitionBase, handled, name } =
  require('../src/boot/kinds/kind-record.js') as typeof import('../src/boot/kinds/kind-record.js');
const { planChain } =
  require('../src/policies/plan-chain.js') as typeof import('../src/policies/plan-chain.js');
const { listMethod } = require('../src/requests/serve.js') as typeof import('../src/requests/serve.js');
const { kinds, OperationCollections } =
  require('../src/boot/registry/kinds.js') as typeof import('../src/boot/registry/kinds.js');
const { McpServer } = require('../src/server.js') as typeof import('../src/server.js');
const { commonHandlers } =
  require('../src/protocol/create-protocol.js') as typeof import('../src/protocol/create-protocol.js');
const { createMcpServer } = require('../src/index.js') as typeof import('../src/index.js');
const { StatelessWire } = require('./wire/stateless-wire.js') as typeof import('./wire/stateless-wire.js');
const { RecordingSink } =
  require('./support/recording-sink.js') as typeof import('./support/recording-sink.js');

const recipesList = listMethod<any>({
  key: 'recipes',
  catalogue: (registry: any) => registry.recipes,
  describe: (recipe) => ({ name: recipe.name }),
});
const recipesCook: MethodHandler = {
  find: (registry: any, { name }) => registry.recipes.get(name),
  handle(request) {
    const recipe = request.operation as any;
    request.begun = true;
    return request.codec.result(recipe.run(request, {}));
  },
};
const recipeKind: KindRecord<any, any, any> = {
  options: {},
  definitionOptions: { ...handled, name },
  draft: () => {
    throw new Error('No class of this test has the decorator.');
  },
  define: (definition) => ({ kind: 'recipe', ...definitionBase(definition), annotations: {} }),
  declare: () => undefined,
  publish: (recipe) => ({ name: recipe.name }),
  plan: (draft, environment) =>
    planChain(draft as never, environment, (value) => ({ contents: [String(value)] })),
};
Object.assign(kinds, { recipe: recipeKind });
Object.assign(commonHandlers, { 'recipes/list': recipesList, 'recipes/cook': recipesCook });
/** The members of servers, with the two lines of this kind. */
class CollectionsWithRecipes extends OperationCollections {
  readonly recipes: unknown;
  constructor(open: any) {
    super(open);
    this.recipes = open('recipe');
  }
}
Object.setPrototypeOf(McpServer, CollectionsWithRecipes);

test('a kind of operation that no revision has is offered, listed, called and recorded', async () => {
  const audit = new RecordingSink();
  const server = await createMcpServer({ name: 'kitchen', version: '1.0.0', audit });
  const wire = new StatelessWire(server as never);
  expect((await wire.request('recipes/list')).error?.code).toBe(-32601);

  const { recipes } = server as any;
  recipes.add({ name: 'soup', handler: () => 'Boil water.' });
  const { result } = await wire.request('server/discover');
  expect(result.capabilities.recipes).toEqual({ listChanged: true });
  expect((await wire.request('recipes/list')).result.recipes).toEqual([{ name: 'soup' }]);
  expect((await wire.request('recipes/cook', { name: 'soup' })).result.contents).toEqual(['Boil water.']);
  expect(audit.records.map(({ event }) => [event.operation, event.name, event.outcome])).toEqual([
    ['recipe', 'soup', 'ok'],
  ]);
  expect(() => recipes.add({ name: 'soup', handler: () => '' })).toThrow('There is a recipe "soup" already');
});
