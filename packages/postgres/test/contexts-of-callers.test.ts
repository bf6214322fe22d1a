import { AsyncLocalStorage } from 'node:async_hooks';
import { PGlite } from '@electric-sql/pglite';
import { preparedPglite } from '../../../.ci/test/support/prepared-pglite.js';
import { postgresStores } from '../src/index.js';
import { HeardEvents } from './support/heard-events.js';
import { testPorts } from './support/test-ports.js';

jest.setTimeout(60_000);

test('events are sent in the context of the boot, and not in that of the caller who publishes first', async () => {
  const pglite = new PGlite(preparedPglite());
  const caller = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const watched = new Proxy(pglite, {
    get(target, name) {
      if (name === 'query') seen.push(caller.getStore());
      const member = Reflect.get(target, name, target) as unknown;
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  const stores = caller.run('boot', () => postgresStores({ pglite: watched }));
  await caller.run('boot', () => stores.open(testPorts()));
  const heard = new HeardEvents(stores.bus);
  for (const uri of ['test://a', 'test://b'])
    caller.run(uri, () => void stores.bus.publish({ type: 'resourceUpdated', uri }));
  await heard.count(2);
  await stores.close();
  await pglite.close();
  expect(new Set(seen)).toEqual(new Set(['boot']));
});
