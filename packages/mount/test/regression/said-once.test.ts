import { createMcpServer } from '@toolwright/core';
import { mountServer } from '@toolwright/mount';
import { until } from '../../../../.ci/test/support/until.js';

// Each attempt was a warning with three stacks: some fifty in the first ten seconds, for each server that is away.
test('a server that stays away for one reason is told once, with the last words of its process', async () => {
  const heard: string[] = [];
  let attempts = 0;
  const logger = {
    debug: () => void attempts++,
    info() {},
    warn: ({ err }: { err?: Error }) => void heard.push(String(err?.message)),
    error() {},
  };
  const gateway = await createMcpServer({
    name: 'gateway',
    version: '1.0.0',
    services: [],
    audit: false,
    logger: logger as never,
  });
  const dies = "console.error('Error: ES_URL is required'); process.exit(1)";
  const mount = await mountServer(gateway, 'search', { command: process.execPath, args: ['-e', dies] });
  await until(() => attempts > 6);
  expect(mount.status()).toMatchObject({ state: 'down', error: heard[0] });
  expect(heard).toEqual([expect.stringContaining('The process wrote: "Error: ES_URL is required"')]);
  await gateway.close(0);
});
