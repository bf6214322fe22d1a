import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Principal } from '@toolwright/core';
import { type MountOptions, mountServer } from '@toolwright/mount';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { clientOf, closeLater } from '../support/malicious-mount.js';
import { createGateway } from '../support/tools.js';

// A function of the caller that never answered was reported as a process that does not answer. One that gave something wrong left
// a mount that was up, had nothing, and said nothing; and each request of each caller left a warning of it.

const file = join(temporaryFolder(), 'values.cjs');
writeFileSync(
  file,
  `const answers = {
  initialize: { protocolVersion: '2025-11-25', serverInfo: { name: 'values', version: '1' }, capabilities: { tools: {} } },
  'tools/list': { tools: [{ name: 'org', description: 'Its organisation.', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: String(process.env.ORG) }] },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const body = answers[method] ? { result: answers[method] } : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n');
});`,
);

const person = (subject: string): Principal => ({ issuer: 'https://issuer.test', subject, scopes: [] });
const never = () => new Promise<never>(() => undefined);

async function mounted(options: Partial<MountOptions>) {
  const warned: string[] = [];
  const warn = (fields: { err?: Error }) => {
    for (let { err } = fields; err; err = err.cause as Error | undefined) warned.push(err.message);
  };
  const gateway = await createGateway({ logger: { debug() {}, info() {}, warn, error() {} } as never });
  closeLater(gateway);
  const child = { command: process.execPath, args: [file], connectTimeout: 2_000 };
  return { gateway, warned, mount: await mountServer(gateway, 'desk', { ...child, ...options } as never) };
}

const asked = '"headers" of the mount "desk"';

test('a function that never answers is named, at boot and for a caller, and nothing is said to have been started', async () => {
  const { gateway, mount, warned } = await mounted({
    ...{ command: undefined as never, args: undefined as never, url: 'http://127.0.0.1:9/mcp' },
    ...{ connectTimeout: 50, headers: never },
  });
  const said = `${asked} is a function that has not answered within 0.05 s. See what it waits for. If it needs longer, raise "connectTimeout" of the mount.`;
  expect(mount.status()).toMatchObject({ state: 'up', error: said, operations: 0, sessions: 0 });
  await clientOf(gateway, { principal: person('ann') });
  expect(warned.join('\n')).toContain(said);
  expect(warned.join('\n')).not.toMatch(/started|Check its "url"/);
});

test('a call whose function never answers fails with the time of the mount, and others are served', async () => {
  const { gateway, mount } = await mounted({
    env: (principal) => (principal?.subject === 'ann' ? never() : { ORG: principal?.subject ?? 'nobody' }),
    connectTimeout: 3_000,
  });
  expect(mount.status()).not.toHaveProperty('error');
  const [ann, ben] = await Promise.all(
    ['ann', 'ben'].map((each) => clientOf(gateway, { principal: person(each) })),
  );
  expect(await ann!.call('org', {})).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('cannot be reached for this caller') }],
  });
  expect(await ben!.callText('org', {})).toBe('ben');
  expect(mount.status().error).toContain('"env" of the mount "desk" is a function that has not answered');
});

test.each([
  [{ ORG: 7 }, 'variables by name ("ORG" is of the type number)'],
  [{ ORG: null }, 'variables by name ("ORG" is null)'],
  [['ORG=7'], 'variables by name'],
  ['ORG=7', 'variables by name'],
  [7, 'variables by name'],
  [null, 'variables by name'],
])(
  'where a function gives %j, the status says what is wrong until it gives something right',
  async (given, must) => {
    let now: unknown = given;
    const { gateway, mount, warned } = await mounted({ env: () => now as never });
    const said = `"env" of the mount "desk" must give ${must}.`;
    expect(mount.status()).toMatchObject({ state: 'up', error: said });
    expect(warned).toContain(said);
    now = { ORG: 'acme' };
    const client = await clientOf(gateway, { principal: person('ann') });
    expect(await client.callText('org', {})).toBe('acme');
    await mount.restart();
    expect(mount.status()).not.toHaveProperty('error');
  },
);

test('callers without values leave one warning for each reason, and ten of all', async () => {
  const { gateway, warned } = await mounted({
    env(principal) {
      if (!principal) return { ORG: 'nobody' };
      throw new Error(principal.subject.startsWith('one') ? 'no key' : `no key of ${principal.subject}`);
    },
  });
  for (let at = 0; at < 12; at++) await clientOf(gateway, { principal: person(`one ${at}`) });
  expect(warned.filter((each) => each === 'no key')).toHaveLength(1);
  for (let at = 0; at < 12; at++) await clientOf(gateway, { principal: person(`other ${at}`) });
  expect(warned.filter((each) => each.startsWith('no key'))).toHaveLength(10);
});
