import { RequireScopes } from '@toolwright/core';
import { boot } from '../support/booting.js';
import { StatelessWire } from '../wire/stateless-wire.js';

/** The server remembers whether its lists differ between callers. It must notice each operation that comes or goes. */
test('a list becomes private with the first tool that some callers do not see, and public again without it', async () => {
  const server = await boot({});
  const wire = new StatelessWire(server);
  const scopeOfList = async () => {
    const { result } = await wire.request('tools/list');
    return (result as { cacheScope: string }).cacheScope;
  };
  const tool = { description: 'Finds.', handler: () => 'found' };
  server.tools.add({ name: 'open', ...tool });
  expect(await scopeOfList()).toBe('public');
  server.tools.add({ name: 'locked', policies: [RequireScopes.entry('read')], ...tool });
  expect(await scopeOfList()).toBe('private');
  server.tools.remove('locked');
  expect(await scopeOfList()).toBe('public');
  server.prompts.add({ name: 'asked', policies: [RequireScopes.entry('read')], handler: () => 'ask' });
  expect(await scopeOfList()).toBe('private');
});
