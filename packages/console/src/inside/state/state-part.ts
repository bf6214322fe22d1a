import type { ServerOperator } from '@toolwright/core/operate';
import { ConsoleRefusal } from '../../api/console-api.js';
import { orRefuse } from '../or-refuse.js';
import type { Part, PartHost } from '../part.js';

/** Shows what servers keep, and ends what the person at the console ends. */
export function statePart(
  host: PartHost,
): Part<
  | 'state'
  | 'endSession'
  | 'cancelRunningCall'
  | 'cancelTask'
  | 'retryTask'
  | 'resetLimits'
  | 'restartMount'
  | 'acceptUpstream'
  | 'reloadSkills'
> {
  const operator = (id: string, by: string): ServerOperator => host.server(id).operate(by);
  return {
    state: async ({ server }, by) => ({
      ...(await operator(server, by).state()),
      memoryBytes: process.memoryUsage.rss(),
    }),
    endSession: ({ server, key }, by) =>
      done(operator(server, by).endSession(key), 'This process does not have this session any more.'),
    cancelRunningCall: ({ server, number }, by) =>
      done(operator(server, by).cancelCall(number), 'This call does not wait for its answer any more.'),
    cancelTask: ({ server, key }, by) => done(operator(server, by).cancelTask(key), 'This task has ended.'),
    retryTask: async ({ server, key }, by) => {
      const next = await orRefuse(operator(server, by).retryTask(key));
      if (next === undefined)
        throw new ConsoleRefusal(
          'This task cannot be begun again: it has not ended, or no queue has its work.',
        );
      return { key: next };
    },
    restartMount: ({ server, mount }, by) =>
      done(operator(server, by).ask('mounts.restart', { mount }), NOTHING_LEFT),
    acceptUpstream: ({ server, mount, digest }, by) =>
      done(operator(server, by).ask('mounts.accept', { mount, digest }), NOTHING_LEFT),
    reloadSkills: ({ server }, by) =>
      done(operator(server, by).ask('skills.reload'), 'This server has no folder of skills.'),
    resetLimits: async ({ server, key }, by) => ({
      count: await orRefuse(operator(server, by).resetLimits(key)),
    }),
  };
}

const NOTHING_LEFT = 'There is nothing to do any more: look at it again.';

async function done(change: Promise<unknown>, otherwise: string): Promise<Record<string, never>> {
  if (await orRefuse(change)) return {};
  throw new ConsoleRefusal(otherwise);
}
