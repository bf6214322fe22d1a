import { connect } from '@toolwright/client';
import type { McpServer, Principal } from '@toolwright/core';
import { mountServer } from '@toolwright/mount';
import { childServer } from './support/child.js';
import { createGateway } from './support/tools.js';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

const person = (subject: string): Principal => ({ issuer: 'https://issuer.test', subject, scopes: [] });

async function clientOf(server: McpServer, options: object = {}) {
  const client = await connect(server, options as never);
  open.push(client);
  return client;
}

describe('a child process', () => {
  test('sees its own environment and PATH, and nothing of ours', async () => {
    process.env['MOUNT_TEST_SECRET'] = 'ours';
    const gateway = await createGateway();
    open.push(gateway);
    const child = childServer();
    await mountServer(gateway, 'child', { ...child, env: { ...child.env, GIVEN: 'yes' } });
    const client = await clientOf(gateway);
    const env = JSON.parse(await client.callText('env')) as Record<string, string>;
    delete process.env['MOUNT_TEST_SECRET'];
    expect(Object.keys(env).sort()).toEqual(['GIVEN', 'MARK', 'PATH']);
  });

  test('has the folders that its author gave it, and never those of a client', async () => {
    const gateway = await createGateway();
    open.push(gateway);
    await mountServer(gateway, 'with', { ...childServer(), prefix: 'a_', roots: [{ uri: 'file:///srv/data' }] });
    await mountServer(gateway, 'without', { ...childServer(), prefix: 'b_' });
    const client = await clientOf(gateway, { roots: () => [{ uri: 'file:///etc' }] });
    expect(await client.callText('a_where')).toBe('file:///srv/data');
    expect(await client.call('b_where')).toMatchObject({ isError: true });
  });

  test('belongs to one caller, and asks that caller', async () => {
    const gateway = await createGateway();
    open.push(gateway);
    await mountServer(gateway, 'child', childServer());
    const of = (name: string) =>
      clientOf(gateway, {
        principal: person(name),
        elicit: () => ({ action: 'accept' as const, content: { name } }),
      });
    const [ann, bob] = [await of('ann'), await of('bob')];
    await ann.call('count');
    await ann.call('count');
    expect(await ann.callText('count')).toBe('3');
    expect(await bob.callText('count')).toBe('1');
    expect(await ann.callText('pid')).not.toBe(await bob.callText('pid'));
    expect(await Promise.all([ann.callText('greet'), bob.callText('greet')])).toEqual(['Hello, ann', 'Hello, bob']);
  });
});
