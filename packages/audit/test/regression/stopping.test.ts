import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecords, temporaryLog } from '../temporary-log.js';

const log = temporaryLog();
const fixtures = join(__dirname, '../fixtures');

/** Runs a server that answers a hundred calls and stops. Its log would let records wait for a minute. */
async function stop(way: string, { ownSink = false, input = '' } = {}): Promise<number | null> {
  const argv = ['-r', join(fixtures, 'register-source.cjs'), join(fixtures, 'stop.ts'), log.file, way];
  const child = spawn(process.execPath, ownSink ? [...argv, 'own'] : argv, {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(input);
  return new Promise((resolve) => child.on('close', resolve));
}

const request = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: {
    name: 'echo',
    arguments: {},
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});
const lines = Array.from({ length: 100 }, (_, id) => `${JSON.stringify(request(id))}\n`).join('');

test.each([
  ['server.drain() and process.exit()', 'drain', {}],
  ['server.close() and process.exit()', 'close', {}],
  ['a drain whose grace runs out', 'grace', {}],
  ['SIGTERM to serveHttp', 'http', {}],
  ['the end of the input of serveStdio', 'stdio', { input: lines }],
])('the outcomes of all calls are on disk after %s', async (_, way, options) => {
  expect(await stop(way, options)).toBe(0);
  const records = await readRecords(log.file);
  expect(records.filter(({ outcome }) => outcome === 'ok')).toHaveLength(100);
});

test('a drain also flushes a custom sink', async () => {
  expect(await stop('drain', { ownSink: true })).toBe(0);
  expect((await readFile(log.file, 'utf8')).split('\n')).toHaveLength(101);
});
