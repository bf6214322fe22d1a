import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { says, StubModel } from '../../../chat/test/support/stub-model.js';
import type { ShownChat } from '../../src/api/chat-api.js';
import { consoleExpress } from '../../src/serve/console-express.js';
import { rawRequest } from '../support/raw-request.js';
import { smallServer } from '../support/small-server.js';

const environment = { ...process.env };
const http = createServer();

afterEach(() => {
  process.env = { ...environment };
  http.closeAllConnections();
  http.close();
});

/** Everything that the page of an operator hears. */
class Listener {
  heard = '';
  #changed: () => void = () => undefined;

  constructor(url: string, admin: string) {
    request(`${url}/api/events`, { headers: { 'x-admin': admin } }, (answer) => {
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        this.heard += chunk;
        this.#changed();
      });
      answer.on('error', () => undefined);
    }).end();
  }

  until(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#changed = () => this.heard.includes(text) && resolve();
      this.#changed();
    });
  }
}

test('a chat belongs to its operator: another one neither reads it nor answers for them', async () => {
  const model = await StubModel.start(says({ content: 'I keep it to myself.' }));
  Object.assign(process.env, { TOOLWRIGHT_CHAT_URL: model.url, TOOLWRIGHT_CHAT_MODEL: 'stub' });
  const server = await smallServer();
  const authorize = ({ headers }: IncomingMessage) => ({ name: String(headers['x-admin']) });
  http.on('request', consoleExpress(server, { authorize, access: ['call'] }));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const ask = async (admin: string, method: string, params: object = {}) => {
    const { body } = await rawRequest(`${url}/api/${method}`, {
      method: 'POST',
      headers: { 'x-admin': admin, 'content-type': 'application/json' },
      body: JSON.stringify({ server: 'small', as: { subject: 'ada', scopes: [] }, ...params }),
    });
    return JSON.parse(body) as ShownChat & { message?: string };
  };
  const [alice, bob] = [new Listener(url, 'alice'), new Listener(url, 'bob')];
  await Promise.all([alice.until('retry'), bob.until('retry')]);
  await ask('alice', 'sendToChat', { text: 'Secret of alice' });
  await alice.until('"state":"ended"');
  expect((await ask('alice', 'chat')).turns).toHaveLength(1);
  expect((await ask('bob', 'chat')).turns).toEqual([]);
  expect((await ask('bob', 'casesOfChat', { turn: 1 })).message).toMatch(/^Nothing of this turn/);
  expect((await ask('bob', 'newChat')).turns).toEqual([]);
  expect((await ask('alice', 'chat')).turns).toHaveLength(1);
  await ask('bob', 'sendToChat', { text: 'Secret of bob' });
  await bob.until('"state":"ended"');
  expect(bob.heard).not.toContain('Secret of alice');
  expect(alice.heard).not.toContain('Secret of bob');
  await server.close(0);
});
