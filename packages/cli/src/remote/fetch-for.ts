import { LOOPBACK_HOSTS } from '@toolwright/json';
import type { RemoteLimits } from './limits.js';

/** The built-in `fetch` gives up after as many milliseconds without an answer, or without a byte of it. */
const BUILT_IN_PATIENCE_MS = 300_000;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The `fetch` for a server. The built-in one waits for five minutes at most, and goes through no proxy on Node.js 20. Where
 * somebody wants either, another one is loaded.
 *
 * @param env `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, in capitals or small letters
 */
export async function fetchFor(
  env: Environment,
  { timeout }: Pick<RemoteLimits, 'timeout'>,
): Promise<typeof fetch> {
  const from = (name: string) => env[name.toLowerCase()] ?? env[name];
  const [httpProxy, httpsProxy] = [from('HTTP_PROXY'), from('HTTPS_PROXY')];
  const isPatient = timeout === 0 || timeout >= BUILT_IN_PATIENCE_MS;
  if (!isPatient && !httpProxy && !httpsProxy) return fetch;
  const { EnvHttpProxyAgent, fetch: longFetch } = await import('undici');
  // A proxy would reach its own machine by these names.
  const noProxy = [from('NO_PROXY') ?? '', ...LOOPBACK_HOSTS].filter(Boolean).join(',');
  // The command has a clock of its own, which stops while a person answers.
  const dispatcher = new EnvHttpProxyAgent({
    ...(httpProxy && { httpProxy }),
    ...(httpsProxy && { httpsProxy }),
    noProxy,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return ((input: URL, init: object) => longFetch(input, { ...init, dispatcher })) as unknown as typeof fetch;
}
