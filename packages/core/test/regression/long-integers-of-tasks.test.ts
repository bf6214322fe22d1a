import type { McpServer } from '@toolwright/core';
import { askServer } from '../support/describe-integers-in-stores.js';
import { queueFleet, stopQueueFleet } from '../support/queue-fleet.js';
import { settled } from '../support/fake-clock.js';

afterEach(stopQueueFleet);

const row = { type: 'object', properties: { id: { type: 'integer' }, ids: { type: 'array', items: {} } } };
const ids = [9007199254740993n, 1234567890123456789n, 2n ** 64n - 1n, -9007199254740993n, 2n ** 60n];

test.each(['in the process', 'on a queue'])('the result of a task %s has all digits', async (place) => {
  const fleet = queueFleet();
  const tools = ids.map((id, at) => ({
    ...{ name: `row${at}`, outputSchema: row as never, handler: () => ({ id, ids: [id] }) },
  }));
  if (place === 'on a queue') await fleet.serve(tools);
  else fleet.web = await fleet.startInProcess(tools);
  for (const [at, id] of ids.entries()) {
    const taskId = await fleet.begin(`row${at}`);
    await settled();
    const text = await askServer(fleet.web, 'tasks/get', { taskId });
    expect(text).toContain('"status":"completed"');
    // The second one may be anything.
    const written = `{"id":${id},"ids":["${id}"]}`;
    expect(text).toContain(`"structuredContent":${written}`);
    expect(text).toContain(`"text":${JSON.stringify(written)}`);
    expect(await changeOf(fleet.web, taskId)).toContain(`"structuredContent":${written}`);
  }
});

/** What a stream of changes has of a task. */
function changeOf(server: McpServer, taskId: string): Promise<string> {
  return askServer(
    server,
    'subscriptions/listen',
    { notifications: { taskIds: [taskId] } },
    undefined,
    (text) => text.includes('notifications/tasks'),
  );
}
