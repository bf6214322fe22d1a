import { Concurrency, McpService, McpTool, type McpServer } from '@toolwright/core';
import { handMadeManifest } from '../packages/hand-made-manifest.js';
import { boot, problemsOf } from '../support/booting.js';
import { FakeClock } from '../support/fake-clock.js';
import { StatelessWire } from '../wire/stateless-wire.js';

let clock: FakeClock;
let server: McpServer;
let ends: (() => void)[];

const work = () => new Promise<string>((resolve) => ends.push(() => resolve('done')));

@McpService()
@Concurrency({ max: 1, group: 'graph' })
class Writers {
  @McpTool({ description: 'Adds.' })
  add() {
    return work();
  }

  @McpTool({ description: 'Removes.' })
  remove() {
    return work();
  }
}

@McpService()
class Readers {
  @McpTool({ description: 'Compacts.' })
  @Concurrency({ max: 1, group: 'graph' })
  compact() {
    return work();
  }

  @McpTool({ description: 'Counts.' })
  count() {
    return work();
  }
}

@McpService()
@Concurrency({ max: 1 })
class Apart {
  @McpTool({ description: 'First.' })
  first() {
    return work();
  }

  @McpTool({ description: 'Second.' })
  second() {
    return work();
  }
}

const manifest = handMadeManifest(
  { file: 'writers.ts', name: 'Writers', methods: { add: [], remove: [] } },
  { file: 'readers.ts', name: 'Readers', methods: { compact: [], count: [] } },
  { file: 'apart.ts', name: 'Apart', methods: { first: [], second: [] } },
);

beforeEach(async () => {
  clock = new FakeClock();
  ends = [];
  server = await boot({ services: [Writers, Readers, Apart], manifest, ports: { clock } });
});

afterEach(() => server.close(0));

const call = (name: string) => new StatelessWire(server).call(name);

async function endOldest(): Promise<void> {
  ends.shift()!();
  await clock.advance(0);
}

test('the tools of a group share its slot, across methods and classes, and other tools have their own', async () => {
  const calls = ['add', 'remove', 'compact', 'count'].map(call);
  await clock.advance(0);
  expect(server.explain('compact')!.steps).toContainEqual({
    name: 'concurrency of the tool',
    origin: 'method',
    detail: '1 at a time in the group "graph", 100 may wait',
  });
  expect(ends).toHaveLength(2);
  for (let left = 4; left > 0; left--) {
    expect(ends.length).toBeLessThanOrEqual(2);
    await endOldest();
  }
  const answers = await Promise.all(calls);
  expect(answers.map(({ result }) => result.content[0].text)).toEqual(Array(4).fill('done'));
});

test('without a group, each tool of a class has a slot of its own', async () => {
  const calls = ['first', 'first', 'second', 'second'].map(call);
  await clock.advance(0);
  expect(ends).toHaveLength(2);
  while (ends.length > 0) await endOldest();
  await Promise.all(calls);
});

test('the slot stays taken if the chains are planned again', async () => {
  const calls = [call('add')];
  await clock.advance(0);
  server.use((_call, next) => next());
  calls.push(call('remove'));
  await clock.advance(0);
  expect(ends).toHaveLength(1);
  await endOldest();
  await endOldest();
  await Promise.all(calls);
});

test('members with different numbers of slots are a boot error, also while the server runs', async () => {
  @McpService()
  class Other {
    @McpTool({ description: 'Differs.' })
    @Concurrency({ max: 2, group: 'graph' })
    differ() {
      return 'never';
    }
  }
  const all = handMadeManifest(
    { file: 'writers.ts', name: 'Writers', methods: { add: [], remove: [] } },
    { file: 'other.ts', name: 'Other', methods: { differ: [] } },
  );
  expect(await problemsOf({ services: [Writers, Other], manifest: all })).toMatchObject([
    {
      code: 'TW_POLICY_INVALID',
      message: expect.stringMatching(
        /^The tool "differ" is in the concurrency group "graph" with max: 2, per: 'tool', queue: 100, and the tool "add" at .* with max: 1, per: 'tool', queue: 100\.$/,
      ),
      fix: 'Give all members of a group the same options, or one of them another group.',
    },
  ]);
  const add = (queue: number) =>
    server.prompts.add({
      name: 'late',
      policies: [Concurrency.entry({ max: 1, queue, group: 'graph' })],
      handler: () => 'late',
    });
  expect(() => add(5)).toThrow('The prompt "late" is in the concurrency group "graph"');
  expect(add(100).name).toBe('late');
});
