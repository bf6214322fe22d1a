import { MaxOutput, ProtocolError, RateLimit, ToolError, type McpServer } from '@toolwright/core';
import { boot } from '../support/booting.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const long = 'x'.repeat(100_000);
let server: McpServer;
beforeEach(async () => {
  server = await boot({ rateLimit: false });
});
afterEach(() => server.close(0));

const failures: Record<string, () => unknown> = {
  'the text of a ToolError': () => {
    throw new ToolError(long);
  },
  'what a ToolError carries': () => {
    throw new ToolError('No.', { meta: { log: long } });
  },
  'a result that is an error': () => ({ content: [{ type: 'text', text: long }], isError: true }),
};

test.each(Object.keys(failures))('@MaxOutput limits %s', async (what) => {
  server.tools.add({
    name: 'fail',
    description: 'Fails.',
    policies: [MaxOutput.entry({ bytes: 500 })],
    handler: failures[what] as () => never,
  });
  const { result } = await new StatelessWire(server).call('fail');
  expect(JSON.stringify(result).length).toBeLessThan(800);
});

test('@MaxOutput limits a protocol error that a method throws', async () => {
  server.tools.add({
    name: 'fail',
    description: 'Fails.',
    policies: [MaxOutput.entry({ bytes: 500 })],
    handler: () => {
      throw new ProtocolError(400, long, { why: long });
    },
  });
  const { error } = await new StatelessWire(server).call('fail');
  expect(error!.code).toBe(400);
  expect(JSON.stringify(error).length).toBeLessThan(600);
});

test('a limit of the server applies to errors of tools without their own limit', async () => {
  await server.close(0);
  server = await boot({ rateLimit: false, output: { maxBytes: 500 } });
  server.tools.add({
    name: 'fail',
    description: 'Fails.',
    handler: failures['the text of a ToolError'] as () => never,
  });
  const { result } = await new StatelessWire(server).call('fail');
  expect(result.isError).toBe(true);
  expect(Buffer.byteLength(result.content[0].text)).toBe(500);
});

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('no tenant');
    },
  ],
  ['gives no text', () => undefined],
])('a @RateLimit key that %s costs only this caller', async (_what, key) => {
  let runs = 0;
  server.tools.add({
    name: 'work',
    description: 'Works.',
    policies: [RateLimit.entry({ points: 3, per: '1m', key: key as () => string })],
    handler: () => ++runs,
  });
  const as = (subject: string) => {
    const principal = { subject, scopes: [] };
    return new StatelessWire(server, { principal, ip: undefined, transport: 'memory' });
  };
  const texts: string[] = [];
  for (let turn = 0; turn < 6; turn++) texts.push((await as('ada').call('work')).result.content[0].text);
  expect(texts.slice(3)).toEqual(Array(3).fill(expect.stringContaining('Rate limited')));
  expect(runs).toBeLessThanOrEqual(3);
  expect((await as('bob').call('work')).result.content[0].text).not.toContain('Rate limited');
});
