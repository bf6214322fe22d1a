import { McpService, McpTool } from '@toolwright/core';
import { MemoryClaimStore, systemClock, type ServerStores } from '@toolwright/core/ports';
import { MemoryTaskQueue } from '@toolwright/testing';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { boot, problemsOf } from './support/booting.js';
import { Probed } from './support/made-up-probes.js';

const secrets = ['s'.repeat(32)];
/** As `runWorkers` makes them. */
const stores: ServerStores = { anyProcess: true, secrets };

@McpService()
class Shop {
  @McpTool()
  find(query: string): string {
    return query;
  }

  @McpTool({ task: 'optional' })
  render(query: string): string {
    return query;
  }

  @Probed('old')
  clean(): void {}
}

@McpService({ scope: 'session' })
class Till {
  @McpTool()
  count(query: string): string {
    return query;
  }
}

@McpService()
class Jobs {
  @Probed('all')
  report(): void {}
}

const file = 'process-bound.test.ts';
const manifest = handMadeManifest(
  { file, name: 'Shop', methods: { find: ['query'], render: ['query'] } },
  { file, name: 'Till', methods: { count: ['query'] } },
);

describe('Where any process may get the next request', () => {
  it('what would live in one process is refused, each with its place and the alternative', async () => {
    const problems = await problemsOf({ services: [Shop, Till, Jobs], manifest, stores });
    expect(problems.map(({ code }) => code)).toEqual(Array<string>(4).fill('TW_PROCESS_BOUND'));
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('The probe "Shop.clean" would run in each process'),
      expect.stringContaining('Calls of the tool "render" become tasks'),
      expect.stringContaining('Till uses Till, which lives as long as a session'),
      expect.stringContaining('The probe "Jobs.report" would run in each process'),
    ]);
    for (const { fix, location } of problems) {
      expect(fix).toMatch(/"stores.tasks"|'request'/);
      expect(location).toMatch(/process-bound\.test\.ts:\d+:\d+$/);
    }
  });

  it('tasks and what packages run are served with a task queue', async () => {
    const queue = new MemoryTaskQueue(systemClock);
    const server = await boot({
      services: [Shop, Jobs],
      manifest,
      stores: [stores, { tasks: queue }],
      secrets,
    });
    expect(server.protocol.anyProcess).toBe(true);
    await server.close(0);
  });

  it('they are served by one process, which may be restarted', async () => {
    const server = await boot({ services: [Shop, Till, Jobs], manifest });
    expect(server.protocol.anyProcess).toBe(false);
    await server.close(0);
  });
});

describe('Stores that bring secrets', () => {
  it('need none in the options', async () => {
    await (await boot({ stores })).close(0);
    await (await boot({ stores: [stores, { secrets }] })).close(0);
  });

  it('do so beside others only if these bring some, too: others may be shared with other machines', async () => {
    const [first] = await problemsOf({ stores: [stores, { claims: new MemoryClaimStore(systemClock) }] });
    expect(first!.message).toContain('"secrets" is not');
  });
});
