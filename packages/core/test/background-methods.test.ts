import { Timeout, type McpServer, type ToolContext } from '@toolwright/core';
import { extend, type Extension } from '@toolwright/core/extend';
import { serveTasks } from '@toolwright/core/operate';
import { MemoryTaskQueue } from '@toolwright/testing';
import { boot, problemsOf } from './support/booting.js';
import { FakeClock, settled } from './support/fake-clock.js';
import { drained, Probed, probes } from './support/made-up-probes.js';
import { RecordingLogger } from './support/recording-logger.js';
import { RecordingSink } from './support/recording-sink.js';

let server: McpServer | undefined;
let logger: RecordingLogger;
let sink: RecordingSink;
beforeEach(() => {
  [logger, sink] = [new RecordingLogger(), new RecordingSink()];
  Object.assign(drained, { of: [], isFinished: true });
});
afterEach(async () => {
  await server?.close(0);
  server = undefined;
});

const seen: string[] = [];
beforeEach(() => void seen.splice(0));

class Doors {
  @Probed('door', { name: 'door' }) @Timeout('5s') probe(ctx: ToolContext) {
    ctx.log.info('knocks');
    seen.push(ctx.requestId as string);
  }
  @Probed('window') static broken() {
    throw new Error('is stuck');
  }
}

const AT = Date.UTC(2027, 0, 2, 3);

describe('a method that a package runs', () => {
  it('is bound and guarded, and only the package can run it', async () => {
    server = await boot({ services: [Doors], logger, audit: sink });
    expect(probes.map(({ name, data }) => [name, data])).toEqual([
      ['door', 'door'],
      ['Doors.broken', 'window'],
    ]);
    expect(server.tools.list()).toEqual([]);
    for (const probe of probes) await probe.run(AT).over;
    expect(seen).toEqual(['door 2027-01-02T03:00:00.000Z']);
    expect(logger.lines).toContainEqual(
      expect.objectContaining({ message: 'knocks', fields: { probe: 'door' } }),
    );
    const [failure] = logger.lines.filter(({ message }) => message === 'A probed run failed');
    expect(failure).toMatchObject({
      level: 'error',
      fields: { probe: 'Doors.broken', reason: 'TW_INTERNAL' },
    });
    expect(sink.records.map(({ event }) => event)).toMatchObject([
      { operation: 'probe', name: 'door', outcome: 'ok', principal: null, client: { name: 'test' } },
      { operation: 'probe', name: 'Doors.broken', outcome: 'error' },
    ]);
  });

  it('comes and goes with its service, and operators see what the package shows', async () => {
    server = await boot({ services: [] });
    expect((await server.operate('ann').state()).probes).toBeUndefined();
    await server.services.add(Doors);
    const { probes: shown, counts } = await server.operate('ann').state(1);
    expect([shown, counts.probes]).toEqual([[{ name: 'door', of: 'door' }], 2]);
    await server.services.remove(Doors);
    expect(probes).toEqual([]);
  });

  it('runs on a task queue once for each time, and no tool of the same name does its work', async () => {
    const clock = new FakeClock(AT);
    const queue = new MemoryTaskQueue(clock);
    const enqueued = jest.spyOn(queue, 'enqueueTick');
    const secrets = ['s'.repeat(32)];
    const logs = { ports: { clock }, logger, audit: sink };
    server = await boot({
      secrets,
      stores: { tasks: queue },
      services: [Doors],
      tasks: { concurrency: 1 },
      ...logs,
    });
    const [door] = probes;
    expect(await door!.enqueue({ at: AT, isLate: false })).toBe('begun');
    expect(await door!.enqueue({ at: AT, isLate: false })).toBe('taken');
    await settled();
    expect(seen).toEqual(['door 2027-01-02T03:00:00.000Z']);
    const [tick, task] = enqueued.mock.calls[0]!;
    expect([tick.key, task.owner, task.work]).toEqual([
      'test/door',
      'probes',
      expect.stringMatching(/^"test" probe door [\w-]{43}$/),
    ]);
    await server.close(0);

    // A process without the package has a tool of this name.
    const peer = queue.peer();
    const other = await boot({
      secrets,
      stores: { tasks: peer },
      ...logs,
      tasks: { onContractChange: 'run' },
    });
    other.tools.add({
      name: 'door',
      description: 'Opens.',
      task: 'optional',
      handler: () => void seen.push('opened'),
    });
    server = await boot({
      secrets,
      stores: { tasks: queue.peer() },
      services: [Doors],
      tasks: { concurrency: 0 },
      ...logs,
    });
    expect(await probes[0]!.enqueue({ at: AT + 1, isLate: false })).toBe('early');
    await clock.advance(1);
    expect(await probes[0]!.enqueue({ at: AT + 1, isLate: false })).toBe('begun');
    await serveTasks(other, { concurrency: 1, signals: false });
    // The time after which nobody waits for a process that has it.
    for (let hour = 0; hour < 48; hour++) await clock.advance(3_600_000);
    await settled();
    expect(seen).toHaveLength(1);
    expect(queue.load()).toMatchObject({ waiting: 0, dead: 1 });
    await other.close(0);
  });

  it('that cannot be run so is a problem at boot, under a code of the package', async () => {
    class Wrong {
      @Probed('nothing') own() {}
      @Probed('') option() {}
      @Probed('x') several(_one: string, _two: string) {}
      @Probed('x', { name: 'twin' }) one() {}
      @Probed('x', { name: 'twin' }) two() {}
    }
    const problems = await problemsOf({ services: [Wrong] });
    expect(problems.map(({ code, message }) => [code, message.replace(/;.*/, '')])).toEqual([
      ['TW_OPTION_INVALID', expect.stringContaining('"of"')],
      ['TW_PROBE_INVALID', 'Wrong.own probes nothing.'],
      ['TW_PROBE_INVALID', 'Wrong.several has several parameters, and a probe passes only a ToolContext.'],
      ['TW_PROBE_INVALID', 'Two probes have the name "twin"'],
    ]);
    for (const { location } of problems) expect(location).toMatch(/background-methods\.test\.ts:\d+:\d+$/);
  });

  it('is waited for by the package when the server drains', async () => {
    server = await boot({ services: [Doors] });
    drained.isFinished = false;
    expect(await server.drain(1_234)).toBe(false);
    expect(drained.of).toEqual([1_234]);
  });

  it('belongs to one package: a second one with the same noun is refused', async () => {
    server = await boot({ services: [Doors] });
    const second: Extension = {
      name: '@made-up/second',
      start: () => ({
        background: {
          noun: 'probe',
          participle: 'probed',
          draft: () => ({ name: 'x', data: 1 }),
          changed: () => undefined,
        },
        state: { calls: () => [] },
      }),
    };
    const error = (await extend(server, second).catch((reason: unknown) => reason)) as Error;
    expect(error.message).toContain('adds background methods with the noun "probe"');
    expect(error.message).toContain('adds the list "calls" of the state');
  });
});
