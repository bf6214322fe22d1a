import type { JsonSchema } from '@toolwright/json';
import { boot } from '../support/booting.js';
import { StatelessWire } from '../wire/stateless-wire.js';

/** 26 definitions, each of which uses the next one twice: 67 million ways lead to the last one. */
const LEVELS = 26;
const last: JsonSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
const $defs: Record<string, JsonSchema> = { [`L${LEVELS}`]: last };
for (let level = 0; level < LEVELS; level++) {
  const next = { $ref: `#/$defs/L${level + 1}` };
  $defs[`L${level}`] = { anyOf: [next, next] };
}
const doubled: JsonSchema = {
  type: 'object',
  properties: { value: { $ref: '#/$defs/L0' } },
  required: ['value'],
  $defs,
};

const textOf = (result: { content: { text: string }[] }) => result.content[0]!.text;

test('a schema with doubled alternatives lets no argument and no result keep the server busy', async () => {
  const server = await boot({ services: [] });
  server.tools.add({
    name: 'echo',
    description: 'Echo.',
    inputSchema: doubled,
    outputSchema: doubled,
    handler: ({ value }) => ({ value }),
  });
  server.tools.add({
    name: 'wrong',
    description: 'Wrong.',
    outputSchema: doubled,
    handler: () => ({ value: { n: 'x' } }),
  });
  const wire = new StatelessWire(server);
  const right = await wire.call('echo', { value: { n: 1 } });
  expect(right.result).toMatchObject({ structuredContent: { value: { n: 1 } } });
  const refused = await wire.call('echo', { value: { n: 'x' } });
  expect([refused.result.isError, textOf(refused.result)]).toEqual([
    true,
    expect.stringContaining('it would take too long to check'),
  ]);
  expect((await wire.call('wrong')).result.isError).toBe(true);
  await server.close(0);
});
