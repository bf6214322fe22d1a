import { connect } from '@toolwright/client';
import { mountServer } from '@toolwright/mount';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { serveMalicious, tool } from './support/malicious-upstream.js';
import { createGateway } from './support/tools.js';
import { until } from '../../../.ci/test/support/until.js';

const MOUNTS = 20;
const TOOLS = 50;

const open = closedAfterEach();

async function serveMany() {
  const upstreams = await Promise.all(Array.from({ length: MOUNTS }, () => serveMalicious()));
  const gateway = await createGateway();
  open.push(...upstreams, gateway);
  for (const upstream of upstreams)
    upstream.tools = Array.from({ length: TOOLS }, (_, index) => tool(`tool_${index}`));
  return { upstreams, gateway };
}

test('20 servers with 1,000 tools are mounted at the same time, and each name leads to its own server', async () => {
  const { upstreams, gateway } = await serveMany();
  upstreams.forEach(({ calls }, index) => {
    calls['tool_7'] = ({ result }) => result({ content: [{ type: 'text', text: `server ${index}` }] });
  });
  await Promise.all(
    upstreams.map(({ url }, index) => mountServer(gateway, `m${index}`, { url, prefix: `m${index}_` })),
  );
  const client = await connect(gateway);
  open.push(client);

  expect(gateway.tools.list()).toHaveLength(MOUNTS * TOOLS);
  const answers = await Promise.all(upstreams.map((_, index) => client.call(`m${index}_tool_7`)));
  expect(answers).toMatchObject(upstreams.map((_, index) => ({ content: [{ text: `server ${index}` }] })));
});

test('names that collide are all in the error of the boot, and nothing of that mount is listed', async () => {
  const { upstreams, gateway } = await serveMany();
  await mountServer(gateway, 'one', { url: upstreams[0]!.url });
  const second = mountServer(gateway, 'two', { url: upstreams[1]!.url });

  await expect(second).rejects.toThrow(/The configuration has 50 problems:[^]*tool_49/);
  expect(gateway.tools.list()).toHaveLength(TOOLS);
  await until(() => upstreams[1]!.listeners.size === 0);
});

test.each(['2026-07-28', '2025-11-25'] as const)(
  'clients hear once of what several mounts change in one tick (%s)',
  async (revision) => {
    const { upstreams, gateway } = await serveMany();
    const mounts = await Promise.all(
      upstreams.map(({ url }, index) => mountServer(gateway, `m${index}`, { url, prefix: `m${index}_` })),
    );
    const client = await connect(gateway, { revision });
    open.push(client);
    const changes = await client.listen({ tools: true });
    await Promise.all(mounts.map((mount) => mount.close()));

    expect(await changes.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    expect(await client.request('tools/list', {})).toMatchObject({ tools: [] });
    expect(changes.pending()).toEqual([]);
    await changes.close();
  },
);
