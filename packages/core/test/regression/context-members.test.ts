import type { ToolContext } from '@toolwright/core';
import { boot } from '../support/booting.js';
import { StatelessWire } from '../wire/stateless-wire.js';

/** Takes every member out of the context and uses it alone. */
async function useMembers(ctx: ToolContext): Promise<string> {
  const { signal, requestId, principal, client, sessionId, showsApps, traceparent, log } = ctx;
  const { progress, elicit, sample, roots, once, startTask, onCleanup } = ctx;
  progress(1, 2, 'half');
  log.info('hello');
  const { warning } = log;
  warning('hello');
  onCleanup(() => undefined);
  await startTask();
  const asked = [
    elicit('name', { message: 'Who?', schema: { type: 'object', properties: {} } }),
    sample('draft', { messages: [], maxTokens: 1 }),
    roots(),
  ].map((question) => question.then(String, (error: Error) => error.constructor.name));
  const refusals = (await Promise.all(asked)).join();
  const heard = [signal.aborted, typeof requestId, principal, client.info, sessionId, showsApps, traceparent];
  return `${await once('key', () => 'once')} ${heard.join('/')} ${refusals}`;
}

const expected = 'once false/number/////false/ ProtocolError,ProtocolError,ProtocolError'.replace(
  '/////',
  '////',
);

test('members of a context work without the object, in a tool and in a prompt', async () => {
  const server = await boot({});
  server.tools.add({ name: 'use', description: 'x', handler: (_, ctx) => useMembers(ctx) });
  server.prompts.add({ name: 'use', description: 'x', handler: (_, ctx) => useMembers(ctx) });
  const wire = new StatelessWire(server);
  expect((await wire.call('use')).result.content[0].text).toBe(expected);
  const { result } = await wire.request('prompts/get', { name: 'use' });
  expect(result.messages[0].content.text).toBe(expected);
  await server.close(0);
});
