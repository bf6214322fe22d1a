import { boot } from '../support/booting.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const twins = { 'a\ud83d': 1, 'a\ude00': 2, 'a\ufffd': 3 };
const written = '{"a\\\\ud83d":1,"a\\\\ude00":2,"a\ufffd":3}';

test.each([
  ['a record', { type: 'object', additionalProperties: { type: 'integer' } }],
  ['anything', {}],
  ['no schema', undefined],
])(
  'members whose names differ only in halves of characters are all there: %s',
  async (_name, outputSchema) => {
    const server = await boot({ services: [], rateLimit: false });
    server.tools.add({
      ...{ name: 'twin', description: 'Counts.', annotations: { readOnlyHint: true } },
      ...(outputSchema && { outputSchema: outputSchema as never }),
      handler: () => twins,
    });
    server.resources.add({ name: 'twins', uri: 'twin://all', handler: () => twins });
    const wire = StatelessWire.of(server, 'ada');
    const { result } = await wire.call('twin');
    expect(result.content[0].text).toBe(written);
    if (outputSchema) expect(JSON.stringify(result.structuredContent)).toBe(written);
    const read = await wire.request('resources/read', { uri: 'twin://all' });
    expect(read.result.contents[0].text).toBe(written);
    await server.close(0);
  },
);
