import { connect } from '@toolwright/client';
import type { McpServer, Principal } from '@toolwright/core';
import { mountServer } from '@toolwright/mount';
import { readFileSync } from 'node:fs';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { childServer } from './support/child.js';
import { createGateway } from './support/tools.js';
import { until } from '../../../.ci/test/support/until.js';

const open = closedAfterEach();

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
    await mountServer(gateway, 'with', {
      ...childServer(),
      prefix: 'a_',
      roots: [{ uri: 'file:///srv/data' }],
    });
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
    expect(await Promise.all([ann.callText('greet'), bob.callText('greet')])).toEqual([
      'Hello, ann',
      'Hello, bob',
    ]);
  });
});

describe('when a process ends', () => {
  const isRunning = (pid: number) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };

  async function mounted(options: object = {}) {
    const gateway = await createGateway();
    open.push(gateway);
    const mount = await mountServer(gateway, 'child', { ...childServer(), ...options });
    return { gateway, mount, client: await clientOf(gateway, { principal: person('ann') }) };
  }

  test('another one takes its place', async () => {
    const { client } = await mounted();
    const first = await client.callText('pid');
    process.kill(Number(first), 'SIGKILL');
    const second = await client.callText('pid');
    expect(second).not.toBe(first);
    expect(isRunning(Number(first))).toBe(false);
  });

  test('a call that only reads is repeated, and any other is not', async () => {
    const { client } = await mounted();
    expect(await client.callText('die_often')).toBe('alive');
    expect(await client.call('die')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('before its answer came') as string }],
    });
  });

  test('a repetition whose process ends, too, waits for the next one', async () => {
    const child = childServer();
    const { client, mount } = await mounted({ ...child, env: { ...child.env, DEATHS: '3' } });
    expect(await client.callText('die_often')).toBe('alive');
    expect(mount.status()).toMatchObject({ failures: 0 });
  });

  test('a call that always ends its process is given up after three repetitions', async () => {
    const child = childServer();
    const { client } = await mounted({ ...child, env: { ...child.env, DEATHS: '99' } });
    expect(await client.call('die_often')).toMatchObject({ isError: true });
    expect(readFileSync(child.env.MARK, 'utf8')).toBe('xxxx');
    expect(await client.callText('count')).toBe('1');
  });

  test('a mount that is closed leaves no process behind', async () => {
    const { client, mount } = await mounted();
    await client.callText('pid');
    const { processes } = mount.status();
    expect(processes).toHaveLength(2);
    await mount.close();
    expect(processes.filter(isRunning)).toEqual([]);
  });

  test('no more processes run than the mount allows, and none ends for another caller', async () => {
    const { gateway, mount, client } = await mounted({ maxProcesses: 3 });
    const first = await client.callText('pid');
    for (const [name, isRefused] of [
      ['bob', undefined],
      ['cy', true],
      ['dee', true],
    ] as const) {
      const other = await clientOf(gateway, { principal: person(name) });
      expect((await other.call('pid', {})).isError).toBe(isRefused);
      expect(mount.status().processes.length).toBeLessThanOrEqual(3);
    }
    expect(await client.callText('pid')).toBe(first);
  });

  test('a process that nobody uses is ended', async () => {
    const { client, mount } = await mounted({ idle: '50ms' });
    await client.callText('pid');
    await until(() => mount.status().processes.length === 1);
    expect(mount.status()).toMatchObject({ state: 'up', sessions: 1 });
  });

  const isLinux = process.platform === 'linux';
  const whereBounded = isLinux ? '' : ': not tried, only Linux can bound the memory of a process';
  (isLinux ? test : test.skip)(`its memory is bounded${whereBounded}`, async () => {
    const { client } = await mounted({ limits: { memoryBytes: 400 * 1024 * 1024 } });
    expect(await client.call('grow')).toMatchObject({ isError: true });
    expect(await client.callText('count')).toBe('1');
  });
});

describe('a server that starts and never answers', () => {
  const mute = { command: process.execPath, args: ['-e', 'process.stdin.resume()'], connectTimeout: 200 };

  test('is down after its time, says what to do, and leaves no process', async () => {
    const gateway = await createGateway();
    open.push(gateway);
    const mount = await mountServer(gateway, 'mute', mute);
    expect(mount.status()).toMatchObject({ state: 'down', operations: 0 });
    expect(mount.status().error).toMatch(/did not answer within 0\.2 s\..* raise "connectTimeout"/);
    await mount.close();
    await until(() => mount.status().processes.length === 0);
  });

  test('holds up nobody either if it writes short lines without end', async () => {
    const gateway = await createGateway();
    open.push(gateway);
    const flood =
      "const w = () => { while (process.stdout.write('y\\n'.repeat(32768))); process.stdout.once('drain', w) }; w()";
    const mount = await mountServer(gateway, 'flood', { ...mute, args: ['-e', flood] });
    expect(mount.status().error).toMatch(/did not answer within 0\.2 s/);
    await mount.close();
    await until(() => mount.status().processes.length === 0);
  });

  test('holds up neither another mount nor the end of its server', async () => {
    const gateway = await createGateway();
    const waiting = mountServer(gateway, 'mute', { ...mute, connectTimeout: '1h' });
    const child = await mountServer(gateway, 'child', childServer());
    expect(child.status()).toMatchObject({ state: 'up' });
    await gateway.close();
    expect((await waiting).status()).toMatchObject({ state: 'closed', processes: [] });
  });

  test('ends the boot with that advice, if it is required', async () => {
    const gateway = await createGateway();
    open.push(gateway);
    const boot = mountServer(gateway, 'mute', { ...mute, required: true });
    await expect(boot).rejects.toThrow(/and it is required\. .* raise "connectTimeout"/);
  });
});
