import { monitorEventLoopDelay } from 'node:perf_hooks';
import { count } from '../../../.ci/test/support/proof.js';
import { mounted } from './support/malicious-mount.js';
import { type Trick, tool } from './support/malicious-upstream.js';

// What the inputs of costs-of-strangers cost, in figures. A proof writes them down, and no test asserts a duration: a machine
// that others use would make it fail.

const letters = (length: number, at: number) => `${'x'.repeat(length)}${at}`;
const lists: Readonly<Record<string, Record<string, (trick: Trick) => void>>> = {
  'long descriptions': {
    'tools/list': ({ result }) =>
      result({ tools: [1, 2, 3].map((at) => tool(`t${at}`, { description: letters(200_000, at) })) }),
  },
  'braces in a template': {
    'resources/templates/list': ({ result }) =>
      result({ resourceTemplates: [{ name: 'braces', uriTemplate: `x:${'{'.repeat(40_000)}` }] }),
  },
  'long templates and resources': {
    'resources/list': ({ result }) =>
      result({
        resources: Array.from({ length: 300 }, (_, at) => ({ name: `r${at}`, uri: `x:${letters(900, at)}` })),
      }),
    'resources/templates/list': ({ result }) =>
      result({
        resourceTemplates: Array.from({ length: 40 }, (_, at) => ({
          ...{ name: `t${at}`, uriTemplate: `x:${'{a}'.repeat(300)}${at}` },
        })),
      }),
  },
};

test('no input of a server behind holds the event loop for long, and the mount stays small', async () => {
  let longest = 0;
  await mounted([tool('ok')]);
  const before = process.memoryUsage().heapUsed;
  for (const methods of Object.values(lists)) {
    const delays = monitorEventLoopDelay({ resolution: 1 });
    delays.enable();
    const { mount } = await mounted([tool('ok')], { methods, options: { limits: {} } });
    delays.disable();
    longest = Math.max(longest, delays.max / 1e6);
    expect(mount.status().state).toBe('up');
  }
  const kept = process.memoryUsage().heapUsed - before;
  count('longest hold of the event loop by a mounted server, in milliseconds', Math.ceil(longest));
  count('memory of three hostile mounts, in MiB', Math.max(1, Math.ceil(kept / 1024 / 1024)));
});
