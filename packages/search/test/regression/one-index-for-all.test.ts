import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { boot } from '../../../core/test/support/booting.js';
import { StatelessWire } from '../../../core/test/wire/stateless-wire.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heap(): number {
  collect();
  return process.memoryUsage().heapUsed / 1_000_000;
}

const TOOLS = 400;
const CALLERS = 300;

test('callers who see other tools each search in one index', async () => {
  const server = await boot({
    services: [],
    toolSearch: true,
    rateLimit: false,
    audit: false,
    // Each caller lacks a tool that all others have.
    authorize: (principal, { name }) => name !== `find_order_${principal?.subject}`,
  });
  server.tools.add(
    Array.from({ length: TOOLS }, (_, at) => ({
      name: `find_order_${at}`,
      description: `Finds order number ${at} of a customer. ${'It does what it says. '.repeat(20)}`,
      handler: () => 'done',
    })),
  );
  const search = (subject: number) =>
    StatelessWire.of(server, String(subject)).call('search_tools', { query: 'find an order', limit: 5 });
  const empty = heap();
  await search(TOOLS);
  const one = heap() - empty;
  for (let caller = 0; caller < CALLERS; caller++)
    expect((await search(caller)).result.structuredContent.tools).toHaveLength(5);
  // With an index for each of them, the memory would grow by 300 times the first one.
  expect(heap() - empty).toBeLessThan(Math.max(one, 1) * 10);
  await server.close(0);
});
