import type { Configuration } from 'openid-client';
import type { FetchDocument } from '../issuers/issuer-preset.js';

/** An issuer, and the client that this server is there. */
export interface ClientAtIssuer {
  readonly issuer: string;
  readonly clientId: string;
  /** Without it, the client is a public one. */
  readonly clientSecret?: string | undefined;
  /** Sends the requests to the issuer. Default: the global `fetch`. */
  readonly fetch?: FetchDocument | undefined;
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
  fetch,
}: ClientAtIssuer): Promise<Configuration> {
  const { discovery, None, allowInsecureRequests, customFetch } = await import('openid-client');
  const server = new URL(issuer);
  return discovery(server, clientId, clientSecret, clientSecret === undefined ? None() : undefined, {
    timeout: ISSUER_SECONDS,
    ...(fetch && { [customFetch]: fetch as never }),
    // Only an issuer on this machine: the options refuse http elsewhere.
    ...(server.protocol === 'http:' && { execute: [allowInsecureRequests] }),
  });
}
