import { createMcpServer, type McpServer } from '@toolwright/core';
import { extend, type Extension, type ExtensionParts } from '@toolwright/core/extend';
import type { SecurityEvent } from '@toolwright/core/operate';
import { type AuditEvent, silentLogger } from '@toolwright/core/ports';
import { auditTo } from './support/recording-sink.js';

let server: McpServer;
const records: AuditEvent[] = [];
const done: string[] = [];

const valves: Extension<ExtensionParts> = {
  name: '@made-up/valves',
  start: ({ alarm }): ExtensionParts => ({
    operator: {
      'valves.close': {
        action: 'close valve',
        target: ({ valve }) => String(valve),
        run({ valve }) {
          if (valve === 'unknown') return false;
          done.push(String(valve));
          alarm({ type: 'upstream', caller: 'valves', operation: String(valve), reason: 'closed' });
          return true;
        },
      },
    },
    upstreams: () => [{ name: 'pump', offered: { tools: [{ name: 'run' }], prompts: [] } }, { name: 'tank' }],
  }),
};

beforeEach(async () => {
  records.length = done.length = 0;
  const audit = auditTo((event) => void records.push(event));
  server = await createMcpServer({ name: 'plant', version: '1', services: [], audit, logger: silentLogger });
  await extend(server, valves);
});
afterEach(() => server.close(0));

test('what a package lets operators do is recorded with who did it', async () => {
  const operator = server.operate('ann');
  expect(await operator.ask('valves.close', { valve: 'north' })).toBe(true);
  expect(done).toEqual(['north']);
  expect(records).toMatchObject([
    { event: 'intent', operation: 'operator', name: 'close valve', principal: { subject: 'ann' } },
    { event: 'outcome', outcome: 'ok', arguments: { target: 'north' } },
  ]);
  expect(await operator.ask('valves.close', { valve: 'unknown' })).toBe(false);
  await expect(operator.ask('valves.open', { valve: 'north' })).rejects.toThrow('no method valves.open');
  expect(records).toHaveLength(4);
});

test('a package tells of attacks, and of the servers that this one depends on', async () => {
  const events: SecurityEvent[] = [];
  server.on('security', (event) => events.push(event));
  await server.operate('ann').ask('valves.close', { valve: 'south' });
  expect(events).toMatchObject([
    { type: 'upstream', caller: 'valves', operation: 'south', reason: 'closed' },
  ]);
  expect(server.operate('ann').upstreams()).toEqual([
    { name: 'pump', offered: { tools: [{ name: 'run' }], prompts: [] } },
    { name: 'tank' },
  ]);
});

test('two packages cannot have the same method for operators', async () => {
  const second = { ...valves, name: '@made-up/other' };
  await expect(extend(server, second)).rejects.toThrow('the method "valves.close" for operators');
});
