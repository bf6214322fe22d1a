import type { McpServer } from '@toolwright/core';
import type { ParamsOf, ResultOf } from '../../api/console-api.js';
import { askUnseen } from '../unseen-client.js';

/** Completes an argument, as the client of a person who types would. */
export function complete(
  server: McpServer,
  { kind, key, argument, value, known, as }: ParamsOf<'complete'>,
): Promise<ResultOf<'complete'>> {
  return askUnseen(server, as, async (client) => {
    const target = kind === 'prompt' ? { prompt: key } : { template: key };
    const { values, hasMore = false } = await client.complete(target, { name: argument, value }, known);
    return { values, hasMore };
  });
}
