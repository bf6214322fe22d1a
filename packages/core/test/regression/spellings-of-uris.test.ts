import type { McpServer } from '@toolwright/core';
import { boot } from '../support/booting.js';
import { settled } from '../support/fake-clock.js';
import { StatefulWire } from '../wire/stateful-wire.js';
import { StatelessWire } from '../wire/stateless-wire.js';

let server: McpServer;
let asked: string[];
beforeEach(async () => {
  asked = [];
  server = await boot({
    rateLimit: false,
    mayRead: (_principal, _resource, uri) => asked.push(uri) > 0,
  });
});
afterEach(() => server.close(0));

const read = async (uri: string) => {
  const { result, error } = await new StatelessWire(server).request(
    'resources/read',
    { uri },
    { headers: { 'mcp-name': `=?base64?${Buffer.from(uri).toString('base64')}?=` } },
  );
  return error ? error.code : (result.contents as { uri: string; text: string }[])[0];
};

test.each([
  ['note://café', ['note://café', 'note://caf%C3%A9', 'note://caf%c3%a9']],
  ['note://caf%c3%a9', ['note://café', 'note://caf%C3%A9', 'note://caf%c3%a9']],
  ['note://a%20b', ['note://a b', 'note://a%20b']],
  ['file:///My notes/a  b.txt', ['file:///My notes/a  b.txt', 'file:///My%20notes/a%20%20b.txt']],
  ['note://a?q=a%7Cb', ['note://a?q=a|b', 'note://a?q=a%7cb']],
])('%s is read in each spelling, and rules know it in its own', async (uri, spelled) => {
  server.resources.add({ name: 'note', uri, handler: () => 'here' });
  for (const each of spelled) expect(await read(each)).toMatchObject({ uri, text: 'here' });
  expect(new Set(asked)).toEqual(new Set([uri]));
  expect(await read('note://cafe%CC%81')).toBe(-32602);
});

test('of two resources with two spellings of one URI, each is found in its own', async () => {
  server.resources.add({ name: 'raw', uri: 'note://é', handler: () => 'raw' });
  server.resources.add({ name: 'encoded', uri: 'note://%C3%A9', handler: () => 'encoded' });
  expect(await read('note://é')).toMatchObject({ text: 'raw' });
  expect(await read('note://%C3%A9')).toMatchObject({ text: 'encoded' });
});

test('what comes later is found, and what has gone is not', async () => {
  server.resources.add({ name: 'other', uri: 'note://a', handler: () => 'other' });
  expect(await read('note://%C3%A9')).toBe(-32602);
  server.resources.add({ name: 'note', uri: 'note://é', handler: () => 'here' });
  expect(await read('note://%C3%A9')).toMatchObject({ text: 'here' });
  server.resources.remove('note://é');
  expect(await read('note://%C3%A9')).toBe(-32602);
});

test.each(['file:///Größe und mehr/{name}', 'file:///Gr%c3%b6%C3%9fe%20und mehr/{name}'])(
  '%s is found in each spelling',
  async (uriTemplate) => {
    server.resourceTemplates.add({
      name: 'file',
      uriTemplate,
      handler: (variables) => String(variables['name']),
    });
    for (const uri of ['file:///Größe und mehr/é a', 'file:///Gr%C3%B6%C3%9Fe%20und%20mehr/%C3%A9%20a'])
      expect(await read(uri)).toMatchObject({ text: 'é a' });
  },
);

test('a client that watches one spelling hears of the other, and can stop', async () => {
  server.resources.add({ name: 'note', uri: 'note://é', handler: () => 'here' });
  const modern = new StatelessWire(server).open('subscriptions/listen', {
    params: { notifications: { resourceSubscriptions: ['note://%C3%A9'] } },
  });
  const older = new StatefulWire(server);
  await older.request('resources/subscribe', { uri: 'note://%C3%A9' });
  server.resourceUpdated('note://é');
  await older.request('resources/unsubscribe', { uri: 'note://%C3%A9' });
  server.resourceUpdated('note://é');
  await settled();
  expect(modern.inbox.messages).toHaveLength(3);
  const heard = older.said.filter(({ method }) => method === 'notifications/resources/updated');
  expect(heard.map(({ params }) => params)).toEqual([{ uri: 'note://é' }]);
  modern.giveUp();
  older.close();
});
