const TIMEOUT_MS = 5_000;

/**
 * Fetches a JSON object that an issuer publishes. Redirects are not followed: what vouches for tokens is where the
 * configuration says, or nowhere.
 *
 * @throws {Error} when it cannot be had within 5 s, or is no JSON object
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
