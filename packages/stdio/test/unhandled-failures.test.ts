import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

function start(mode: string) {
  const child = spawn(process.execPath, [join(__dirname, 'fixtures/stray-server.mjs'), mode]);
  const said = text(child.stderr);
  return { child, said, written: text(child.stdout), ended: once(child, 'close') };
}

const isLogged = /"message":"A promise that nobody awaits was rejected\. The process stops as soon as/;

test('over stdio a call that left a failing promise is answered, and the process exits with 1', async () => {
  const { child, said, written, ended } = start('stdio');
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'leave', arguments: {}, _meta };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
  expect(await ended).toEqual([1, null]);
  expect(JSON.parse(await written).result.content[0].text).toBe('answered');
  expect(await said).toMatch(isLogged);
});

test('a process that works on tasks ends its task first, and exits with 1', async () => {
  const { said, ended } = start('tasks');
  expect(await ended).toEqual([1, null]);
  expect(await said).toMatch(isLogged);
  expect(await said).toContain('The tool has ended.');
});
