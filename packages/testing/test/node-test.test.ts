import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';

const built = (name: string) =>
  JSON.stringify(pathToFileURL(join(__dirname, `../../${name}/dist/index.js`)).href);

/** In each of these tests nothing is left but a timer of the server, and such timers keep no process alive. */
const tests = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import core from ${built('core')};
import testing from ${built('testing')};

const silent = { debug() {}, info() {}, warn() {}, error() {} };
async function serve(options) {
  const server = await core.createMcpServer({ name: 'slow', version: '1', services: [], logger: silent, ...options });
  await server.tools.add({ name: 'hang', description: 'Hang.', handler: () => new Promise(() => {}) });
  const client = await testing.connect(server);
  return { server, client };
}
const begun = async (server) => {
  while (server.protocol.load.requests === 0) await Promise.resolve();
};

test('a call over its time', async () => {
  const { server, client } = await serve({ timeout: '50ms' });
  const { content } = await client.call('hang', {});
  assert.match(content[0].text, /did not finish within 0.05 s/);
  await client.close();
  await server.close(0);
});

test('a server that closes while a call hangs', async () => {
  const { server, client } = await serve();
  const call = client.call('hang', {});
  await begun(server);
  await server.close(50);
  assert.match(JSON.stringify(await call), /ended the call of hang/);
});

test('a server that drains while a call hangs, and nobody waits for it', async () => {
  const { server, client } = await serve();
  client.call('hang', {}).catch(() => undefined);
  await begun(server);
  assert.equal(await server.drain(50), false);
  await client.close();
  await server.close(0);
});

test('a subscription does not keep the process alive', async () => {
  const { client } = await serve();
  await client.listen({ toolsListChanged: true });
});
`;

test('what a test of node --test waits for keeps its process alive', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'slow.test.mjs'), tests);
  // Node.js refuses a test run inside of another one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, ['--test', folder], { encoding: 'utf8', env });
  expect(stdout).toMatch(/pass 4\b/);
  expect(status).toBe(0);
});
