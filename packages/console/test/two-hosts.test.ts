import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { DevPage } from './support/dev-page.js';

test('a request with two Hosts is refused before its token is looked at, and so is one for another protocol', async () => {
  const page = await DevPage.open();
  const { host, port } = new URL(page.address);
  const answerTo = async (path: string, more: readonly string[]) => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    socket.write([`GET ${path} HTTP/1.1`, ...more, '', ''].join('\r\n'));
    return text(socket).catch(() => '');
  };
  const path = page.address.slice(page.origin.length);
  const hosts = [`Host: ${host}`, 'Host: rebind.example'];
  const refused = await answerTo(path, [...hosts, 'Connection: close']);
  expect(refused).toMatch(/^HTTP\/1\.1 400 /);
  expect(refused).not.toContain('toolwright-console-');
  expect(await answerTo(path, [`Host: ${host}`, 'Connection: close'])).toMatch(/^HTTP\/1\.1 303 /);
  expect(await answerTo('/', [...hosts, 'Connection: Upgrade', 'Upgrade: websocket'])).toBe('');
  await page.close();
});
