import { RequireScopes, type McpServer, type Principal } from '@toolwright/core';
import fc from 'fast-check';
import { boot } from '../support/booting.js';
import { StatelessWire } from '../wire/stateless-wire.js';

/** The lists of the protocol. `address` is the member that identifies an operation in its list. */
const lists = [
  { method: 'tools/list', member: 'tools', address: 'name' },
  { method: 'prompts/list', member: 'prompts', address: 'name' },
  { method: 'resources/list', member: 'resources', address: 'uri' },
  { method: 'resources/templates/list', member: 'resourceTemplates', address: 'uriTemplate' },
] as const;
type List = (typeof lists)[number];

/**
 * One operation of a random catalogue. Its address contains its number; several operations may have the same
 * name.
 */
interface Item {
  name: string;
  scope: string | undefined;
}

const scopes = ['read', 'write', 'admin'];
const items = fc.array(
  fc.record({
    name: fc.constantFrom('config', 'notes'),
    scope: fc.option(fc.constantFrom(...scopes), { nil: undefined }),
  }),
  { maxLength: 9 },
);
const callers = fc.array(
  fc.record({ scopes: fc.subarray(scopes), mask: fc.option(fc.nat(1023), { nil: undefined }) }),
  { minLength: 2, maxLength: 5 },
);

const addressOf = (list: List, index: number) =>
  list.address === 'name'
    ? `op-${index}`
    : list.address === 'uri'
      ? `file:///${index}`
      : `file${index}:///{id}`;

/** Adds an operation of the kind that is in the list. */
function add(server: McpServer, list: List, { name, scope }: Item, index: number): void {
  const policies = scope ? [RequireScopes.entry(scope)] : [];
  const address = addressOf(list, index);
  const shared = { policies, description: 'x', handler: () => 'x' };
  if (list.member === 'tools') server.tools.add({ ...shared, name: address });
  else if (list.member === 'prompts') server.prompts.add({ ...shared, name: address });
  else if (list.member === 'resources') server.resources.add({ ...shared, name, uri: address });
  else server.resourceTemplates.add({ ...shared, name, uriTemplate: address });
}

/** A random caller: the scopes of its token, and, bit by bit, which operations `authorize` shows it. */
interface Caller {
  scopes: string[];
  mask: number | undefined;
}

const principalOf = ({ scopes: granted, mask }: Caller): Principal => ({
  subject: 'somebody',
  scopes: granted,
  claims: { mask },
});

const numberOf = (address: string) => Number(/\d+/.exec(address)![0]);

/** What a caller may see, directly from the definition, without pages and caches. */
const plainFilter = (
  list: List,
  catalogue: readonly (Item | undefined)[],
  { scopes: granted, mask }: Caller,
) =>
  catalogue.flatMap((item, index) =>
    item &&
    (item.scope === undefined || granted.includes(item.scope)) &&
    (mask === undefined || (mask & (1 << index)) !== 0)
      ? [addressOf(list, index)]
      : [],
  );

/** All pages of a list, as one caller gets them. */
async function pagesOf(server: McpServer, list: List, caller: Caller, pageSize: number): Promise<string[]> {
  const wire = new StatelessWire(server, {
    principal: principalOf(caller),
    ip: undefined,
    transport: 'memory',
  });
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const { result } = await wire.request(list.method, cursor === undefined ? {} : { cursor });
    const page = result[list.member].map((each: Record<string, string>) => each[list.address]);
    cursor = result.nextCursor;
    expect(page.length).toBeLessThanOrEqual(pageSize);
    if (cursor !== undefined) expect(page).toHaveLength(pageSize);
    found.push(...page);
  } while (cursor !== undefined);
  return found;
}

const bootWith = (list: List, pageSize: number) =>
  boot({
    lists: { pageSize, ttl: 0 },
    authorize: (principal, operation) => {
      const mask = principal?.claims?.['mask'];
      const address = (operation as unknown as Record<string, string>)[list.address]!;
      return typeof mask !== 'number' || (mask & (1 << numberOf(address))) !== 0;
    },
  });

/** Always present, because a server without prompts, for example, does not have `prompts/list`. */
const ANCHOR: Item = { name: 'config', scope: undefined };

it.each(lists)(
  '$method returns, page by page, the same as a simple filter of the catalogue',
  async (list) => {
    const property = fc.asyncProperty(
      items,
      callers,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 9 }),
      async (others, who, pageSize, leaving) => {
        const server = await bootWith(list, pageSize);
        const catalogue: (Item | undefined)[] = [ANCHOR, ...others];
        catalogue.forEach((item, index) => add(server, list, item!, index));
        const compare = async (caller: Caller) =>
          expect(await pagesOf(server, list, caller, pageSize)).toEqual(plainFilter(list, catalogue, caller));
        // Twice, so that the second time uses what the first one stored.
        for (const caller of [...who, ...who]) await compare(caller);
        server[list.member].remove(addressOf(list, leaving));
        catalogue.splice(leaving, 1, undefined);
        for (const caller of who) await compare(caller);
        await server.close(0);
      },
    );
    await fc.assert(property, { numRuns: 60 });
  },
);

it('each of two callers sees its own resource if both have the same name', async () => {
  const server = await boot({});
  const add = (owner: string) =>
    server.resources.add({
      name: 'Account',
      uri: `account://${owner}`,
      description: `Of ${owner}`,
      policies: [RequireScopes.entry(owner)],
      handler: () => owner,
    });
  add('alice');
  add('bob');
  const uris = async (subject: string) => {
    const principal = { subject, scopes: [subject] };
    const { result } = await new StatelessWire(server, {
      principal,
      ip: undefined,
      transport: 'memory',
    }).request('resources/list');
    return result.resources.map(({ uri }: { uri: string }) => uri);
  };
  expect(await uris('alice')).toEqual(['account://alice']);
  expect(await uris('bob')).toEqual(['account://bob']);
});

it('resources with the same name are counted separately, by URI', async () => {
  const server = await boot({ rateLimit: { points: 1, per: '1m' } });
  for (const uri of ['account://alice', 'account://bob'])
    server.resources.add({ name: 'Account', uri, description: 'x', handler: () => uri });
  const principal = { subject: 'alice', scopes: [] };
  const wire = new StatelessWire(server, { principal, ip: undefined, transport: 'memory' });
  const read = async (uri: string) => (await wire.request('resources/read', { uri })).error?.code;
  expect(await read('account://alice')).toBeUndefined();
  expect(await read('account://bob')).toBeUndefined();
  expect(await read('account://bob')).toBe(429);
});
