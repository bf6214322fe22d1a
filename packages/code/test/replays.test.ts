import { Cache } from '@toolwright/core';
import { extend } from '@toolwright/core/extend';
import type { ToolDefinition } from '@toolwright/core/operate';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';
import { type Decide, externalDecision } from '../../identity/src/decisions.js';
import { Shop, textOf } from './support/shop.js';

// Between two rounds of a program, the rights of its caller change. Nothing that was recorded goes to a caller who may not have it now.

const shops = closedAfterEach<Shop>();
const start = async (...args: Parameters<Shop['start']>) => {
  const shop = new Shop();
  shops.push(shop);
  return shop.start(...args);
};

const CODE = `const a = await tools.peek({ what: 'a' }); await tools.refund({ id: 'A' }); return a`;

const peek = (more: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name: 'peek',
  description: 'Peek.',
  annotations: { readOnlyHint: true },
  inputSchema: { type: 'object', properties: { what: { type: 'string' } } },
  handler: ({ what }) => `secret of ${String(what)}`,
  ...more,
});

const ofTenant = ({ server }: Shop, tenant: string) =>
  new StatelessWire(
    server,
    { principal: { subject: 'ann', scopes: [], tenant }, ip: undefined, transport: 'memory' },
    { elicitation: { form: {} } },
  );

test('`for` is asked again', async () => {
  let isMember = true;
  const shop = await start({}, [peek({ for: () => isMember } as never)]);
  const first = await shop.round(CODE);
  isMember = false;
  const refused = await shop.round(CODE, first);
  expect(textOf(refused)).toMatch(/changed|no longer/);
  expect(JSON.stringify(refused)).not.toContain('secret of');
  expect(shop.done).toEqual([]);
});

test('the tenant is that of the first round', async () => {
  const shop = await start({}, [peek()]);
  const first = await shop.round(CODE, undefined, ofTenant(shop, 'red'));
  await expect(shop.round(CODE, first, ofTenant(shop, 'blue'))).rejects.toThrow('requestState');
  expect(shop.done).toEqual([]);
  const last = await shop.round(CODE, first, ofTenant(shop, 'red'));
  expect(last.structuredContent).toEqual({ result: 'secret of a' });
});

test('a policy engine is asked again, with the arguments of the call', async () => {
  const asked: unknown[] = [];
  let allows = true;
  const decide: Decide = ({ operation, arguments: args }) => {
    if (operation.name === 'peek') asked.push(args);
    return { allow: allows || operation.name !== 'peek' };
  };
  const shop = await start({}, [peek()]);
  await extend(shop.server, externalDecision({ decide, cache: false }));
  const first = await shop.round(CODE);
  allows = false;
  expect(textOf(await shop.round(CODE, first))).toMatch(
    /may no longer call "peek"\.\nIt had called: peek, refund/,
  );
  expect(asked).toEqual([{ what: 'a' }, { what: 'a' }]);
  expect(shop.done).toEqual([]);
  allows = true;
  expect((await shop.round(CODE, await shop.round(CODE))).structuredContent).toEqual({
    result: 'secret of a',
  });
});

test('a recorded call costs nothing, asks no cache, and leaves one record in each round', async () => {
  let looked = 0;
  const cached = peek({
    policies: [Cache.entry({ ttl: '1h' })],
    handler: () => `seen ${++looked} times`,
  });
  const shop = await start({ rateLimit: { points: 13, per: '1m' } }, [cached]);
  const code = `
    const a = [await tools.peek({ what: 'a' }), await tools.peek({ what: 'a' })];
    await tools.refund({ id: 'A' });
    await tools.refund({ id: 'B' });
    return [...a, await tools.peek({ what: 'b' })]`;
  const second = await shop.round(code, await shop.round(code));
  const { structuredContent } = await shop.round(code, second);
  expect(structuredContent).toEqual({ result: ['seen 1 times', 'seen 1 times', 'seen 2 times'] });
  expect(shop.recordsOf('peek')).toHaveLength(3);
  const replayed = shop.records.filter(({ outcome }) => outcome === 'replayed');
  expect(replayed.map(({ loggable }) => (loggable as { calls: number }).calls)).toEqual([2, 3]);
});
