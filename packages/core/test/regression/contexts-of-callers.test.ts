import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, McpService, McpTool, type McpServer, type ServerOptions } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { MemoryEventBus, type Clock } from '@toolwright/core/ports';
import { handMadeManifest } from '../packages/hand-made-manifest.js';
import { boot as bootServer } from '../support/booting.js';
import { FakeClock, settled } from '../support/fake-clock.js';
import { accept } from '../support/protocol-fixture.js';
import { hosts, Probed, probes } from '../support/made-up-probes.js';
import { queueFleet, stopQueueFleet, type QueueFleet } from '../support/queue-fleet.js';
import { EXTENSION } from '../support/task-fixture.js';
import { SessionWire } from '../wire/session-wire.js';
import { StatelessWire } from '../wire/stateless-wire.js';

/** Stands for what applications keep there: the tenant, the token of the user, the span. */
const caller = new AsyncLocalStorage<string>();
const seen: string[] = [];
const look = (what = 'work') => void seen.push(`${what} in ${caller.getStore() ?? 'nothing'}`);

const inputSchema = { type: 'object', properties: { gate: { type: 'string' } } };
const clients = { elicitation: {}, extensions: { [EXTENSION]: {} } };
const readOnly = { annotations: { readOnlyHint: true }, task: { mode: 'optional' } } as const;

let fleet: QueueFleet;
beforeEach(() => {
  fleet = queueFleet();
  seen.length = 0;
});
afterEach(stopQueueFleet);

/** All servers of the test are created in a context of their own. */
const atBoot = <T>(work: () => T): T => caller.run('boot', work);
/** Calls as an application would: its middleware has put the caller into the store. */
const begin = (who: string, name: string, args = {}): Promise<string> =>
  caller.run(who, async () => {
    const { result } = await StatelessWire.of(fleet.web, who, clients).call(name, args);
    return result.taskId as string;
  });

describe('a task on a queue', () => {
  it('never runs in the context of the request that has woken its worker', async () => {
    const tool: ToolDefinition = {
      name: 'work',
      inputSchema,
      ...readOnly,
      async handler({ gate }, { signal }) {
        look();
        await fleet.gates.wait(String(gate), signal);
        look('the rest');
        return 'done';
      },
    };
    await atBoot(async () => {
      fleet.web = await fleet.start(0, [tool]);
      await fleet.start(2, [tool]);
    });
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, index) => begin(`tenant ${index}`, 'work', { gate: `${index}` })),
    );
    for (const [index] of ids.entries()) {
      await fleet.gates.reached(`${index}`);
      caller.run(`opener ${index}`, () => fleet.gates.open(`${index}`));
    }
    await settled();
    expect(seen.filter((each) => each.startsWith('work'))).toEqual(Array(12).fill('work in boot'));
    expect(new Set(seen)).toEqual(new Set(['work in boot', 'the rest in boot']));
  });

  it('nor does a run after a loss, after an answer, after a pause, or after a request for another task', async () => {
    const tool: ToolDefinition = {
      name: 'work',
      inputSchema: { type: 'object', properties: { what: { type: 'string' } } },
      annotations: { readOnlyHint: true },
      task: { mode: 'optional', retries: 1 },
      async handler({ what }, context) {
        look(String(what));
        if (what === 'asks') {
          const schema = { type: 'object', properties: {} };
          await context.elicit('sure', { message: 'Sure?', schema });
        }
        if (what === 'fails') throw new Error('not now');
        if (what === 'is lost') await fleet.gates.wait('lost', context.signal);
        return 'done';
      },
    };
    await atBoot(() => fleet.serve([tool]));
    const asks = await begin('ada', 'work', { what: 'asks' });
    await begin('ada', 'work', { what: 'fails' });
    const lost = await begin('ada', 'work', { what: 'is lost' });
    await settled();
    await caller.run('bob', async () => {
      await StatelessWire.of(fleet.web, 'ada', clients).request('tasks/update', {
        taskId: asks,
        inputResponses: { sure: accept({}) },
      });
      fleet.queue.loseRun(lost);
      await fleet.clock.advance(10_000);
    });
    await settled();
    expect(seen.length).toBeGreaterThanOrEqual(6);
    expect(seen.filter((each) => !each.endsWith('in boot'))).toEqual([]);
  });

  it.each([
    ['on a queue', 'boot'],
    ['in its process', 'ada'],
  ])('hears of its end in its own context, %s', async (where, expected) => {
    const tool: ToolDefinition = {
      name: 'work',
      ...readOnly,
      async handler(_args, { signal }) {
        signal.addEventListener('abort', () => look('the end'));
        await fleet.gates.wait('end', signal);
      },
    };
    await atBoot(async () => {
      if (where === 'on a queue') await fleet.serve([tool]);
      else fleet.web = await fleet.startInProcess([tool]);
    });
    const taskId = await begin('ada', 'work');
    await fleet.gates.reached('end');
    await caller.run('an operator', async () =>
      StatelessWire.of(fleet.web, 'ada', clients).request('tasks/cancel', { taskId }),
    );
    await settled();
    expect(seen).toEqual([`the end in ${expected}`]);
  });
});

describe('what a server does by itself', () => {
  let server: McpServer | undefined;
  afterEach(() => server?.close(0));
  const start = async (options: Partial<ServerOptions>) => (server = await atBoot(() => bootServer(options)));

  it('calls packages in the context of its boot, also for a method that a request has added', async () => {
    const clock = new FakeClock(Date.UTC(2027, 0, 2));
    @Injectable()
    class Minutely {
      @Probed('* * * * *') run() {
        look('run');
      }
    }
    await start({ ports: { clock }, services: [] });
    await caller.run('ada', () => server!.services.add(Minutely));
    // Each run begins when a timer fires that the package sets as soon as it learns of the method.
    hosts.at(-1)!.clock.after(60_000, () => void probes[0]!.run(clock.now()));
    await caller.run('bob', () => clock.advance(60_000));
    await settled();
    expect(seen).toEqual(['run in boot']);
  });

  it('ends sessions in the context of its boot, whoever takes their place', async () => {
    @McpService({ scope: 'session' })
    class Kept {
      onDispose(): void {
        look('disposing');
      }
      @McpTool() use(): string {
        return 'used';
      }
    }
    const manifest = handMadeManifest({ file: 'src/kept.ts', name: 'Kept', methods: { use: [] } });
    await start({ services: [Kept], manifest, sessions: { maxPerPrincipal: 1 } });
    server!.on('sessionEnd', () => look('the end'));
    const open = (who: string) =>
      caller.run(who, () =>
        new SessionWire(server!, { subject: 'ada' }).request('tools/call', { name: 'use' }),
      );
    await open('ada');
    await open('bob');
    await settled();
    expect(seen).toEqual(expect.arrayContaining(['the end in boot', 'disposing in boot']));
    expect(seen.filter((each) => !each.endsWith('in boot'))).toEqual([]);
  });

  it('gives its stores a clock whose timers fire in the context of its boot', async () => {
    let ofStores: Clock | undefined;
    const clock = new FakeClock();
    await start({
      ports: { clock },
      stores: { secrets: ['s'.repeat(32)], open: (ports) => void (ofStores = ports.clock) },
    });
    caller.run('ada', () => ofStores!.after(1_000, () => look('timer')));
    await caller.run('bob', () => clock.advance(1_000));
    expect(seen).toEqual(['timer in boot']);
  });

  it('hears events of the bus in the context of its boot, although a request publishes them', async () => {
    await start({ stores: { bus: new MemoryEventBus() } });
    server!.resources.add({ uri: 'a://b', name: 'b', handler: () => 'text' });
    server!.on('message', () => look('message'));
    StatelessWire.of(server!, 'ada').open('subscriptions/listen', {
      params: { notifications: { resourceSubscriptions: ['a://b'] } },
    });
    await settled();
    seen.length = 0;
    caller.run('bob', () => server!.resourceUpdated('a://b'));
    await settled();
    expect(seen).toEqual(['message in boot']);
  });

  it('tells of refusals of many callers in the context of its boot', async () => {
    const clock = new FakeClock();
    await start({ ports: { clock } });
    for (let count = 0; count < 15; count++)
      await caller.run('ada', () => StatelessWire.of(server!, 'ada').call('none', {}));
    server!.on('security', () => look('refusal'));
    seen.length = 0;
    await caller.run('bob', () => clock.advance(60_000));
    await settled();
    expect(new Set(seen)).toEqual(new Set(['refusal in boot']));
  });
});
