const TIMEOUT_MS = 5_000;

/**
 * Fetches a JSON object that an issuer publishes. It follows no redirects, because the keys that prove tokens
 * must be exactly where the configuration says.
 *
 * @throws {Error} when it cannot be fetched within 5 s, or is not a JSON object
 */
export async function fetchJson(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    headers: { accept: 'application/json, application/jwk-set+json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`status ${response.status}`);
  }
  const value = (await response.json()) as unknown;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('no JSON object');
  return value as Record<string, unknown>;
}
