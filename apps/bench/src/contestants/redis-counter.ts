const WINDOW_MS = 60_000;
const POINTS = 1_000_000_000;

/** Counts calls in Redis, as a rate limit shared by several processes does: one round trip for each call. */
export async function redisCounter(url: string): Promise<() => Promise<boolean>> {
  const { createClient } = await import('redis');
  const client = await createClient({ url }).connect();
  return async () => {
    const [calls] = await client.multi().incr('calls').pExpire('calls', WINDOW_MS, 'NX').exec();
    return Number(calls) <= POINTS;
  };
}
