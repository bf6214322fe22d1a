import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { answerJson } from '../../src/serve/respond.js';

test('an answer of the console has all digits of an integer that a tool returned', async () => {
  const server = createServer((_req, res) => answerJson(res, { result: { id: 2 ** 60 } }));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(await answer.text()).toBe('{"result":{"id":1152921504606846976}}');
  await new Promise((resolve) => server.close(resolve));
});
