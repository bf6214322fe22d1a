import type { IncomingHttpHeaders } from 'node:http';
import { redisCounter } from './redis-counter.js';
import type { Settings } from './settings.js';
import { tokenVerifier } from './token-check.js';

/** Whether a request may pass. */
export type Gate = (headers: IncomingHttpHeaders) => Promise<boolean>;

/** What plain contestants do before a call; undefined where every call passes at once. */
export async function gateOf({ tokens, redis }: Settings): Promise<Gate | undefined> {
  if (redis) return redisCounter(redis);
  if (!tokens) return undefined;
  const verify = await tokenVerifier(tokens);
  return ({ authorization = '' }) =>
    verify(authorization.slice('Bearer '.length)).then(
      () => true,
      () => false,
    );
}
