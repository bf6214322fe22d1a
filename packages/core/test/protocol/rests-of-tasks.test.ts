import { MaxOutput } from '@toolwright/core';
import { MemoryResultCache, systemClock } from '@toolwright/core/ports';
import type { ToolDefinition } from '@toolwright/core/operate';
import { queueFleet, stopQueueFleet, type QueueFleet } from '../support/queue-fleet.js';
import { EXTENSION } from '../support/task-fixture.js';
import { settled } from '../support/fake-clock.js';
import { StatefulWire } from '../wire/stateful-wire.js';
import { StatelessWire } from '../wire/stateless-wire.js';

let fleet: QueueFleet;
beforeEach(() => void (fleet = queueFleet()));
afterEach(stopQueueFleet);

const rows = Array.from({ length: 300 }, (_, id) => `row ${id}`);
let runs = 0;
beforeEach(() => void (runs = 0));

const list = (task: 'optional' | 'required', readOnlyHint: boolean): ToolDefinition => ({
  name: 'list',
  description: 'Lists rows.',
  annotations: { readOnlyHint },
  task,
  policies: [MaxOutput.entry({ bytes: 1_000, link: true })],
  handler: () => (runs++, rows),
});

interface Part {
  readonly text: string;
  readonly uri: string;
}

const principal = { subject: 'ada', scopes: ['rows'], claims: { role: 'agent', exp: 1 } };
const wire = (who: object = principal) =>
  new StatelessWire(
    fleet.web,
    { principal: who as typeof principal, ip: undefined, transport: 'memory' },
    { extensions: { [EXTENSION]: {} } },
  );

describe.each(['optional', 'required'] as const)('a task that is %s', (task) => {
  describe.each([true, false])('of a tool with readOnlyHint: %s', (readOnlyHint) => {
    async function partsOf(): Promise<Part[]> {
      const { taskId } = (await wire().call('list')).result;
      await settled();
      const { result } = (await wire().request('tasks/get', { taskId })).result;
      return result.content as Part[];
    }

    test.each(['queued', 'in this process'])('leads to the rest of its result: %s', async (where) => {
      if (where === 'queued')
        await fleet.serve([list(task, readOnlyHint)], {
          stores: { cache: new MemoryResultCache(systemClock) },
        });
      else fleet.web = await fleet.startInProcess([list(task, readOnlyHint)]);
      const [shown, note, link] = await partsOf();
      expect(note!.text).toContain('The link after this note leads to all that was left out.');
      const read = async (who?: object) => wire(who).request('resources/read', { uri: link!.uri });
      const { contents } = (await read()).result;
      expect([...JSON.parse(shown!.text), ...JSON.parse(contents[0].text)]).toEqual(rows);
      const renewed = { ...principal, claims: { role: 'agent', exp: 2 } };
      expect((await read(renewed)).result.contents).toEqual(contents);
      expect(runs).toBe(1);
      for (const other of [
        { ...principal, subject: 'bob' },
        { ...principal, tenant: 'acme' },
        { ...principal, clientId: 'evil' },
        { ...principal, scopes: [] },
      ])
        expect((await read(other)).error?.message).toContain('Resource not found');
    });

    test('offers nothing where nothing can be kept', async () => {
      await fleet.serve([list(task, readOnlyHint)]);
      const [, note, ...others] = await partsOf();
      expect(others).toEqual([]);
      expect(note!.text).toMatch(
        readOnlyHint ? /Ask for less\.\]$/ : /Ask for less, if the tool may run again/,
      );
    });
  });
});

test('a client that asks for a task reads the rest, too', async () => {
  fleet.web = await fleet.startInProcess([list('required', true)]);
  const session = new StatefulWire(fleet.web, { revision: '2025-11-25', subject: 'ada' });
  const made = await session.request('tools/call', { name: 'list', arguments: {}, task: {} });
  const { taskId } = made.result.task;
  const { content } = (await session.request('tasks/result', { taskId })).result;
  const [shown, , link] = content as Part[];
  const { contents } = (await session.request('resources/read', { uri: link!.uri })).result;
  expect([...JSON.parse(shown!.text), ...JSON.parse(contents[0].text)]).toEqual(rows);
  expect(runs).toBe(1);
});
