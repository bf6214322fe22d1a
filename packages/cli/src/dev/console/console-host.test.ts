import * as consoleModule from '@toolwright/console';
import { ConsoleHost } from './console-host.js';

test('an app starts once, and starts again after that', async () => {
  const host = new ConsoleHost(consoleModule, { project: '/nowhere/tsconfig.json' });
  const states: string[] = [];
  host.hub.subscribe((event) => event.type === 'overview' && states.push(event.overview.app));
  expect(await host.hub.ask('overview', {})).toMatchObject({ app: 'starting' });
  host.restarting();
  host.started({} as never);
  host.restarting();
  expect(states).toEqual(['starting', 'starting', 'restarting']);
});
