import { connect } from '@toolwright/client';
import type { AuditEvent } from '@toolwright/core/ports';
import { mountServer } from '@toolwright/mount';
import { closedAfterEach } from '../../../../.ci/test/support/closed-after-each.js';
import { serveMalicious, tool, type Trick } from '../support/malicious-upstream.js';
import { createGateway } from '../support/tools.js';

const open = closedAfterEach();

/** An error with a code of the caller's choice, on the stream of the request. */
function refuse({ message, response, stream }: Trick): void {
  const { code } = (message.params as { arguments: { code: number } }).arguments;
  stream()({ id: message.id, error: { code, message: 'No.' } });
  response.end();
}

test('a server behind cannot make outcomes of its own: a metric keeps a row for each', async () => {
  const evil = await serveMalicious();
  evil.tools = [
    tool('refuse', { inputSchema: { type: 'object', properties: { code: { type: 'number' } } } }),
  ];
  evil.calls['refuse'] = refuse;
  const records: AuditEvent[] = [];
  const audit = {
    write: (event: AuditEvent) => void records.push(event),
    flush: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const gateway = await createGateway({ audit });
  open.push(evil, gateway);
  await mountServer(gateway, 'evil', { url: evil.url });
  const client = await connect(gateway);

  for (const code of [1, 2, 3, 99_999, -32_001, -32_602])
    await client.call('refuse', { code }).catch(() => undefined);
  const outcomes = records.filter(({ operation }) => operation === 'mount').map(({ outcome }) => outcome);
  expect(outcomes).toHaveLength(6);
  expect([...new Set(outcomes)]).toEqual(['TW_PROTOCOL_ERROR']);
  await client.close();
});
