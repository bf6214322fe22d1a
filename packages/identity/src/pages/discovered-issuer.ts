import type { Configuration } from 'openid-client';

/** An issuer, and the client that this server is there. */
export interface ClientAtIssuer {
  readonly issuer: string;
  readonly clientId: string;
  /** Without it, the client is a public one. */
  readonly clientSecret?: string | undefined;
}

/** How long a request to the issuer may take, in seconds. */
const ISSUER_SECONDS = 10;

/** An issuer whose metadata is read when it is first needed. A failed attempt is not kept. */
export class DiscoveredIssuer {
  #found: Promise<Configuration> | undefined;

  constructor(private readonly client: ClientAtIssuer) {}

  configuration(): Promise<Configuration> {
    return (this.#found ??= discoverIssuer(this.client).catch((error: unknown) => {
      this.#found = undefined;
      throw error;
    }));
  }
}

/** Reads the metadata of an issuer. */
export async function discoverIssuer({
  issuer,
  clientId,
  clientSecret,
}: ClientAtIssuer): Promise<Configuration> {
  const { discovery, None, allowInsecureRequests } = await import('openid-client');
  const server = new URL(issuer);
  return discovery(server, clientId, clientSecret, clientSecret === undefined ? None() : undefined, {
    timeout: ISSUER_SECONDS,
    // Only an issuer on this machine: the options refuse http elsewhere.
    ...(server.protocol === 'http:' && { execute: [allowInsecureRequests] }),
  });
}
