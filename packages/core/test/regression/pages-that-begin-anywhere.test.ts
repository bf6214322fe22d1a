import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { connect } from '@toolwright/testing';
import { createMcpServer } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';

const MANY = 500;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heap(): number {
  collect();
  return process.memoryUsage().heapUsed / 1_000_000;
}

const cursorAt = (name: string) => Buffer.from(JSON.stringify(['tools', name])).toString('base64url');

test('a caller who asks for pages that begin anywhere does not fill the memory', async () => {
  const server = await createMcpServer({ name: 's', version: '1.0.0', services: [], logger: silentLogger });
  const tools = Array.from({ length: MANY }, (_, at) => ({
    name: `tool_${at}`,
    description: `Tool number ${at}. ${'It does what it says. '.repeat(40)}`,
    handler: () => 'done',
  }));
  server.tools.add(tools);
  const client = await connect(server);
  const page = async (cursor?: string) =>
    (await client.request('tools/list', cursor === undefined ? {} : { cursor })) as {
      tools: { name: string }[];
      nextCursor?: string;
    };
  const first = await page();
  expect((await page(first.nextCursor)).tools[0]!.name).toBe('tool_100');
  const before = heap();
  for (let at = 0; at < MANY - 1; at++)
    expect((await page(cursorAt(`tool_${at}`))).tools[0]!.name).toBe(`tool_${at + 1}`);
  // All of these pages take 45 MB.
  expect(heap() - before).toBeLessThan(15);
  await client.close();
  await server.close();
});
