import { clientOf, mounted } from '../support/malicious-mount.js';
import { textResult, tool } from '../support/malicious-upstream.js';

/** A server that forgets its sessions, and says so with HTTP 200. */
async function forgetful(code: number, message: string) {
  let known = 0;
  let runs = 0;
  const made = await mounted([tool('add')], {
    calls: {
      add: ({ request, response, message: { id }, result }) => {
        const session = Number(String(request.headers['mcp-session-id']).replace('session-', ''));
        if (session > known) {
          runs++;
          return result(textResult('added'));
        }
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
      },
    },
  });
  const client = await clientOf(made.gateway);
  expect(await client.callText('add', {})).toBe('added');
  known = 100;
  return { ...made, client, runs: () => runs, forgive: () => (known = 2) };
}

test.each([
  [-32001, 'Session not found'],
  [-32001, 'Session expired, please initialize again'],
  [-32000, 'Bad Request: No valid session ID provided'],
  [-32000, 'Session not found'],
])('a session that is forgotten is opened again when HTTP 200 says %d, %s', async (code, message) => {
  const { client, forgive, runs } = await forgetful(code, message);
  forgive();
  expect(await client.callText('add', {})).toBe('added');
  expect(runs()).toBe(2);
});

test.each([
  [-32603, 'Session not found'],
  [-32000, 'No browser session is open'],
  [-32001, 'Request timed out'],
])('an error of a tool is no forgotten session: %d, %s', async (code, message) => {
  const { client, forgive, runs } = await forgetful(code, message);
  forgive();
  await expect(client.call('add', {})).rejects.toThrow(message);
  expect(runs()).toBe(1);
});

test('a server that forgets each session at once is given up', async () => {
  const { client } = await forgetful(-32001, 'Session not found');
  await expect(client.call('add', {})).rejects.toThrow('Session not found');
});
