import { createProtocolFixture, close } from './support/protocol-fixture.js';
import { RecordingLogger } from './support/recording-logger.js';

const lines = async (options: object) => {
  const logger = new RecordingLogger();
  await close(await createProtocolFixture({ logger, ...options }));
  return logger.lines;
};

test('Every log line names the process, if it has a name', async () => {
  const [line] = await lines({ ports: { instanceId: 'pages-7f9c' } });
  expect(line?.fields).toEqual({ instance: 'pages-7f9c', option: 'secrets' });
  expect(JSON.stringify(await lines({}))).not.toContain('instance');
});

test('A server says at boot when a restart ends its sessions', async () => {
  const said = async (options: object) => JSON.stringify(await lines(options)).includes('survive a restart');
  expect(await said({})).toBe(true);
  expect(await said({ secrets: ['s'.repeat(32)] })).toBe(false);
  expect(await said({ sessions: false })).toBe(false);
  expect(await said({ stateful: false })).toBe(false);
});
