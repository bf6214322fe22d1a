import { connect } from '@toolwright/client';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { mountServer } from '@toolwright/mount';
import { limitedFetch } from '../../src/upstream/limited-fetch.js';
import { createGateway } from '../support/tools.js';

const HALF = 'cut \ud83d';

/** A server that says what a strict reader would say of the line of a call. */
const STRICT = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const results = {
    initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }),
    'tools/list': () => ({ tools: [{ name: 'judge', description: 'Judges.', inputSchema: { type: 'object' } }] }),
    'tools/call': () => ({ content: [{ type: 'text', text: /\\\\ud[89a-f]/.test(line) ? 'refused' : params.arguments.a }] }),
  };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method]?.() ?? {} }));
});`;

test('arguments with half a surrogate pair reach a process well formed', async () => {
  const gateway = await createGateway();
  await mountServer(gateway, 'strict', { command: process.execPath, args: ['-e', STRICT] });
  const client = await connect(gateway);
  expect(await client.callText('judge', { a: HALF })).toBe('cut \ufffd');
  await client.close();
  await gateway.close(0);
});

test('they reach a server over HTTP well formed, too', async () => {
  const http = createServer((request, response) => {
    void text(request).then((body) => response.end(body));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const body = JSON.stringify({ [HALF]: HALF });
  const answer = await limitedFetch({ bytes: 1_000, values: 1_000 })(url, { method: 'POST', body });
  expect(await answer.text()).toBe('{"cut \ufffd":"cut \ufffd"}');
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
});
