import { AsyncLocalStorage } from 'node:async_hooks';
import { silentLogger } from '@toolwright/core/ports';
import { openAuditSink } from '../../src/index.js';
import { sampleEvent } from '../sample-event.js';
import { temporaryLog } from '../temporary-log.js';

const log = temporaryLog();
const caller = new AsyncLocalStorage<string>();

test('records are shipped in the context in which the log was opened, and not in that of a caller', async () => {
  const seen: unknown[] = [];
  const sink = { name: 'canary', ship: async () => void seen.push(caller.getStore()) };
  const audit = await caller.run('boot', () => openAuditSink({ file: log.file, sinks: [sink] }));
  for (const mode of ['buffered', 'strict'] as const) {
    await caller.run('ada', () => audit.write(sampleEvent(), mode));
    await caller.run('bob', () => audit.flush());
  }
  await audit.close?.();
  expect(seen.length).toBeGreaterThan(0);
  expect(new Set(seen)).toEqual(new Set(['boot']));
});

test('a sink that somebody waits for runs in the context of the boot too', async () => {
  const seen: unknown[] = [];
  let fails = true;
  const sink = {
    name: 'canary',
    ship: async () => {
      seen.push(caller.getStore());
      if (fails) throw new Error('down');
    },
  };
  const audit = await caller.run('boot', () =>
    openAuditSink({ file: log.file, sinks: [sink], logger: silentLogger }),
  );
  await caller.run('ada', () => audit.write(sampleEvent(), 'strict'));
  await caller.run('bob', () => audit.flush());
  fails = false;
  await caller.run('carol', () => audit.close?.());
  expect(seen.length).toBeGreaterThan(1);
  expect(new Set(seen)).toEqual(new Set(['boot']));
});
