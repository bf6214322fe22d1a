export type OidcProvider = typeof import('oidc-provider');

/**
 * Loads the certified authorization server. It is an ES module, and loading it takes a quarter of a second, so nothing
 * else of this package needs it.
 */
export async function loadProvider(): Promise<OidcProvider> {
  // Node.js 20 has everything that it needs, but it warns about every version below 22 as soon as it is loaded.
  return quietly(() => import('oidc-provider'));
}

/** Runs something without the remarks of oidc-provider, which are about production. */
export async function quietly<T>(run: () => Promise<T>): Promise<T> {
  const { warn, info } = console;
  const without =
    (write: typeof console.warn): typeof console.warn =>
    (...words: unknown[]) => {
      if (!/oidc-provider (?:WARNING|NOTICE)/.test(String(words[0]))) write(...words);
    };
  console.warn = without(warn);
  console.info = without(info);
  try {
    return await run();
  } finally {
    Object.assign(console, { warn, info });
  }
}
