import { RateLimit, ToolError, type McpServer } from '@toolwright/core';
import { boot } from '../support/booting.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { StatelessWire } from '../wire/stateless-wire.js';

let server: McpServer;
const logger = new RecordingLogger();
beforeEach(async () => {
  server = await boot({ logger });
  const limit = (key: (caller: { arguments: any }) => string | Promise<string>) => [
    RateLimit.entry({ points: 3, per: '1h', key }),
  ];
  const keys = {
    reads: limit(({ arguments: { tenant } }) => tenant.id),
    rejects: limit(() => Promise.reject(new Error('redis://secret@host'))),
    explains: limit(() => {
      throw new ToolError('Name your tenant.');
    }),
  };
  for (const [name, policies] of Object.entries(keys))
    server.tools.add({ name, description: name, policies, handler: () => 'ran' });
});
afterEach(() => server.close(0));

const call = async (name: string) => {
  const { result } = await StatelessWire.of(server, 'ann').call(name);
  return { text: result.content[0].text as string, isError: result.isError as boolean };
};

test.each(['reads', 'rejects'])('a key that %s what is not there is a refusal that says so', async (name) => {
  expect(await call(name)).toEqual({
    text: expect.stringMatching(
      `^The limit of ${name} cannot be found for these arguments, so nothing was done. Check the arguments \\(ref \\w+\\)\\.$`,
    ),
    isError: true,
  });
  expect(logger.lines.at(-1)).toMatchObject({
    level: 'warn',
    fields: { err: expect.any(Error), operation: name },
  });
});

test('each such call is charged', async () => {
  const texts: string[] = [];
  for (let count = 0; count < 4; count++) texts.push((await call('reads')).text);
  expect(texts.at(-1)).toMatch(/^Rate limited; retry in/);
});

test('a ToolError of the key is told to the model', async () => {
  expect(await call('explains')).toEqual({ text: 'Name your tenant.', isError: true });
});
