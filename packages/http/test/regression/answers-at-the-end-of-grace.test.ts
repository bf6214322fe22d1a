import { until } from '../../../../.ci/test/support/until.js';
import { serveHttp } from '../../src/index.js';
import { createFixture } from '../support/fixture.js';
import { LegacyClient } from '../support/legacy-client.js';
import { call, send } from '../support/wire.js';

test('Calls that are not done at the end of the grace are stopped and answered, on both eras', async () => {
  const { server, gates } = await createFixture({});
  server.tools.add({
    name: 'deaf',
    description: 'Does not listen to its signal.',
    annotations: { readOnlyHint: true },
    handler: (_args, { signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => setTimeout(resolve, 50))),
  });
  const service = await serveHttp(server, { port: 0, signals: false, grace: 1 });
  const legacy = await LegacyClient.connect(service.url, '2025-11-25');
  const answers = [
    send(service.url, call('hold', { gate: 'modern' })),
    send(service.url, call('hold', { gate: 'stream' }, { meta: { progressToken: 1 } })),
    legacy.request('tools/call', { name: 'hold', arguments: { gate: 'legacy' } }),
    send(service.url, call('deaf')),
  ];
  await until(() => gates.entered.length === 3 && server.protocol.load.requests >= 4);
  const closing = service.close();
  const texts = (await Promise.all(answers)).map(
    ({ json, events }) => (json ?? events.at(-1)).result.content[0].text as string,
  );
  const hold =
    'The server is stopping and ended the call of hold. It may still run, and may have taken effect in part; check before trying again.';
  const deaf = 'The server is stopping and ended the call of deaf. It is safe to try again.';
  expect(texts).toEqual([hold, hold, hold, deaf]);
  expect(gates.aborted.sort()).toEqual(['legacy', 'modern', 'stream']);
  await closing;
});
