import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { until } from '../../../../.ci/test/support/until.js';
import { freePort } from '../../../../.ci/test/support/free-port.js';
import { call, modern, send } from '../support/wire.js';
import { onLinux } from '../../../../.ci/test/support/on-platforms.js';

const folder = temporaryFolder();
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

const descriptorOf = (socket: Server) => (socket as unknown as { _handle: { fd: number } })._handle.fd;

/** An app of built packages in a process of its own, as a deployment has it. */
async function start(kind: 'http' | 'drain' | 'inherited' | 'workers', stderr: 'pipe' | number = 'pipe') {
  const socket = createServer();
  if (kind === 'inherited') await once(socket.listen(0, '127.0.0.1'), 'listening');
  const port = kind === 'inherited' ? (socket.address() as AddressInfo).port : await freePort();
  const release = join(folder, `release-${port}`);
  const app = spawn(
    process.execPath,
    [join(__dirname, '../support/served-app.cjs'), kind, String(port), release],
    { stdio: ['ignore', 'pipe', stderr, kind === 'inherited' ? descriptorOf(socket) : 'ignore'] },
  );
  children.push(app);
  socket.close();
  let out = '';
  app.stdout!.on('data', (chunk: Buffer) => (out += String(chunk)));
  const ended = once(app, 'exit') as Promise<[number | null, string | null]>;
  await until(() => out.includes('ready'));
  const url = `http://127.0.0.1:${port}/mcp`;
  return {
    app,
    ended,
    url,
    release: () => writeFileSync(release, ''),
    called: () => until(() => out.includes('called')),
    /** Resolves when the app has heard a signal: new requests are refused, or there is nobody to ask. */
    stopping: () =>
      until(() =>
        send(url, modern('tools/list')).then(
          ({ status }) => status === 503,
          () => true,
        ),
      ),
  };
}

test.each([
  ['http', 'SIGTERM', 'SIGTERM'],
  ['http', 'SIGINT', 'SIGINT'],
  ['drain', 'SIGINT', 'SIGTERM'],
  ['workers', 'SIGTERM', 'SIGTERM'],
  ['http', 'SIGHUP', 'SIGHUP'],
  ['inherited', 'SIGTERM', 'SIGTERM'],
  ['workers', 'SIGHUP', 'SIGTERM'],
] as const)('%s: after %s, another %s loses no running call', async (kind, first, second) => {
  const { app, ended, url, release, called, stopping } = await start(kind);
  const answer = send(url, call('hold'));
  await called();
  app.kill(first);
  await stopping();
  app.kill(second);
  await stopping();
  release();
  expect((await answer).json.result.content[0].text).toBe('done');
  expect(await ended).toEqual([0, null]);
});

test.each(['http', 'workers'] as const)('%s: serves on when the reader of its log has gone', async (kind) => {
  const { app, url, ended } = await start(kind);
  app.stderr!.destroy();
  for (let attempt = 0; attempt < 5; attempt++) {
    const { json } = await send(url, call('complain'));
    expect(json.result.isError).toBe(true);
  }
  app.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

// Every write to this device fails, as on a full disk.
onLinux('serves on when the disk of its log is full (Linux only: it needs /dev/full)', async () => {
  const { app, url, ended } = await start('http', openSync('/dev/full', 'w'));
  for (let attempt = 0; attempt < 5; attempt++)
    expect((await send(url, call('complain'))).json.result.isError).toBe(true);
  app.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
