import type { McpServer } from '@toolwright/core';
import { boot } from '../support/booting.js';
import { FakeClock } from '../support/fake-clock.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { RecordingSink } from '../support/recording-sink.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const full = () => {
  throw new Error('ENOSPC: no space left on device');
};

describe('an audit log that fails', () => {
  const clock = new FakeClock();
  let logger: RecordingLogger;
  let sink: RecordingSink;
  let server: McpServer;
  let wire: StatelessWire;

  beforeEach(async () => {
    logger = new RecordingLogger();
    sink = new RecordingSink();
    server = await boot({ services: [], audit: sink, ports: { clock }, logger, rateLimit: false });
    server.tools.add({ name: 'erase', annotations: { destructiveHint: true }, handler: () => 'erased' });
    server.tools.add({ name: 'look', annotations: { readOnlyHint: true }, handler: () => 'seen' });
    wire = StatelessWire.of(server, 'ann');
    logger.lines.length = 0;
  });

  const said = () => logger.lines.filter(({ level }) => level !== 'debug').map(({ message }) => message);
  const audit = () => server.protocol.stores.find(({ store }) => store === 'audit');
  const DOWN = 'The audit log cannot be written; strict calls are refused';

  test('is logged once, however many calls it refuses, and again when it works', async () => {
    sink.before = full;
    for (let call = 0; call < 400; call++) expect((await wire.call('erase')).result.isError).toBe(true);
    for (let call = 0; call < 5; call++) expect((await wire.call('look')).result.isError).toBeUndefined();
    expect(said()).toEqual([DOWN]);
    expect(logger.lines[0]!.fields).toEqual({
      reason: 'ENOSPC: no space left on device',
      operation: 'erase',
      mode: 'strict',
    });
    sink.before = () => undefined;
    await wire.call('erase');
    expect(said()).toEqual([DOWN, 'The audit log can be written again']);
    expect(logger.lines.at(-1)!.fields).toMatchObject({ failed: 405 });
    await server.close();
  });

  test('is away for probes and metrics until it works, though no call tries it', async () => {
    expect(audit()).toMatchObject({ up: true });
    sink.before = full;
    sink.flush = async () => full();
    await wire.call('erase');
    expect(audit()).toMatchObject({ up: false, since: clock.now() });
    await clock.advance(1_000);
    expect(audit()).toMatchObject({ up: false });
    sink.before = () => undefined;
    sink.flush = async () => undefined;
    await clock.advance(1_000);
    audit();
    await new Promise(setImmediate);
    expect(audit()).toMatchObject({ up: true, since: clock.now() });
    await server.close();
  });

  test('says at the end what it lost, with the words of the sink', async () => {
    sink.close = () => Promise.reject(new Error('300 records are not stored: ENOSPC'));
    await expect(server.close()).rejects.toThrow('300 records are not stored');
    expect(logger.lines.at(-1)).toEqual({
      level: 'error',
      message: 'The audit log was closed, and records are lost',
      fields: { reason: '300 records are not stored: ENOSPC', unrecorded: 0 },
    });
  });

  test('says at the end how many calls ran without a record', async () => {
    sink.before = full;
    for (let call = 0; call < 3; call++) await wire.call('look');
    await server.close();
    expect(logger.lines.at(-1)).toMatchObject({
      level: 'error',
      message: 'The audit log was closed; some records could not be stored',
      fields: { unrecorded: 3 },
    });
  });
});

test('records take the claims that the log names, and no others', async () => {
  const sink = Object.assign(new RecordingSink(), { claims: ['tenant', 'plan'] });
  const server = await boot({ services: [], audit: sink });
  server.tools.add({ name: 'look', handler: () => 'seen' });
  const principal = { subject: 'ann', scopes: [], claims: { tenant: 'acme', email: 'ann@acme.test' } };
  await new StatelessWire(server, { principal, ip: undefined, transport: 'memory' }).call('look');
  await new StatelessWire(server).call('look');
  expect(sink.records.map(({ event }) => event.principal)).toEqual([
    { subject: 'ann', claims: { tenant: 'acme' } },
    null,
  ]);
  await server.close();
});
