import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runCommand } from '../../src/index.js';
import { codeOf } from '../local-server.js';

const run = promisify(execFile);
const built = join(__dirname, '..', '..', 'dist', 'index.js');

/** Runs a program in a process of its own, which an uncaught error would end. */
async function printed(program: string, shell = ''): Promise<string> {
  const script = `const { safeFetch, runCommand } = require(${JSON.stringify(built)});
    const codeOf = (promise) => promise.then(() => 'no error', (error) => error.code + ' ' + error.message);
    (async () => { ${program} })();`;
  const { stdout } = await run('/bin/sh', ['-c', `${shell} exec "$0" -e "$1"`, process.execPath, script]);
  return stdout.trim();
}

test.each(['http', 'https'])(
  'an address that the system refuses at once fails the %s request, and not the process',
  async (scheme) => {
    // No system connects to the broadcast address: connect(2) fails at once.
    const address = '255.255.255.255';
    const program = `
      const resolve = async () => [{ address: '${address}', family: 4 }];
      const options = { resolve, allowedAddresses: ['${address}/32'] };
      console.log(await codeOf(safeFetch('${scheme}://site.example/', options)));`;
    expect(await printed(program)).toBe('TW_SAFE_FETCH The request to site.example failed.');
  },
);

test('arguments that are too long for the system are refused in words', async () => {
  const long = runCommand('true', ['x'.repeat(3_000_000)], { allow: { true: '/bin/true' } });
  await expect(long).rejects.toMatchObject({
    code: 'TW_SAFE_COMMAND',
    message: 'The arguments are longer than the system allows for one command.',
    cause: { code: 'E2BIG' },
  });
});

test.each([[[1]], [[null]], [['a', ['b']]], [[{ includes: () => false }]], ['text'], [undefined]])(
  'arguments that are not a list of strings are refused: %j',
  async (args) => {
    const refused = runCommand('true', args as never, { allow: { true: '/bin/true' } });
    expect(await codeOf(refused)).toBe('TW_SAFE_COMMAND');
  },
);

test('a process without free descriptors refuses the command and lives on', async () => {
  const program = `
    const { openSync } = require('node:fs');
    await codeOf(runCommand('true', [], { allow: { true: '/bin/true' } }));
    const held = [];
    try { for (;;) held.push(openSync('/dev/null')); } catch {}
    const code = await codeOf(runCommand('true', [], { allow: { true: '/bin/true' } }));
    for (const fd of held) require('node:fs').closeSync(fd);
    console.log(code);`;
  expect(await printed(program, 'ulimit -n 64;')).toBe('TW_SAFE_COMMAND The command could not be started.');
});
