import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client';
import type { CryptoKey, JWK } from 'jose';

/** The client that this server is for an issuer. */
export interface IssuerClientIdentity {
  readonly clientId: string;
  /** Without a secret and a key, the client is a public one. */
  readonly clientSecret?: string | undefined;
  readonly clientAuth: 'basic' | 'post';
  /** A private JWK with `alg`. */
  readonly privateKey?: JWK | undefined;
}

export interface IssuerConnection {
  readonly issuer: string;
  readonly client: IssuerClientIdentity;
  readonly timeoutMs: number;
  /** Lets the issuer be reached over plain http. */
  readonly plainHttp: boolean;
  /** Default: the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Metadata that is known already. Default: the issuer is asked for it (OpenID discovery, then RFC 8414). */
  readonly metadata?: Omit<ServerMetadata, 'issuer'> | undefined;
}

/** Prepares requests to an issuer, by the certified openid-client. */
export async function connectToIssuer(connection: IssuerConnection): Promise<Configuration> {
  const oidc = await import('openid-client');
  const { issuer, client, timeoutMs, plainHttp, fetch, metadata } = connection;
  const { clientId, clientSecret } = client;
  const auth = await authOf(client);
  const timeout = Math.max(1, Math.ceil(timeoutMs / 1_000));
  if (metadata) {
    const known = new oidc.Configuration({ issuer, ...metadata }, clientId, clientSecret, auth);
    known.timeout = timeout;
    if (fetch) known[oidc.customFetch] = fetch as never;
    if (plainHttp) oidc.allowInsecureRequests(known);
    return known;
  }
  const options = {
    timeout,
    ...(fetch && { [oidc.customFetch]: fetch as never }),
    ...(plainHttp && { execute: [oidc.allowInsecureRequests] }),
  };
  const server = new URL(issuer);
  try {
    return await oidc.discovery(server, clientId, clientSecret, auth, options);
  } catch (error) {
    if (describeFailure(error).status !== 404) throw error;
    return oidc.discovery(server, clientId, clientSecret, auth, { ...options, algorithm: 'oauth2' });
  }
}

/** An issuer that is connected to when it is first needed. A failed attempt is not kept. */
export class ConnectedIssuer {
  #connected: Promise<Configuration> | undefined;

  constructor(private readonly connection: IssuerConnection) {}

  configuration(): Promise<Configuration> {
    return (this.#connected ??= connectToIssuer(this.connection).catch((error: unknown) => {
      this.#connected = undefined;
      throw error;
    }));
  }
}

/** An issuer, and the client that a page of this server is there. */
export interface ClientAtIssuer {
  readonly issuer: string;
  readonly clientId: string;
  /** Without it, the client is a public one. */
  readonly clientSecret?: string | undefined;
  /** Sends the requests to the issuer. Default: the global `fetch`. */
  readonly fetch?: IssuerConnection['fetch'];
}

/** How long an issuer may take while a person waits, in milliseconds. */
export const ISSUER_MS = 10_000;

/** The connection for a page. Options refuse plain http elsewhere than on this machine. */
export const connectionForPage = ({
  issuer,
  clientId,
  clientSecret,
  fetch,
}: ClientAtIssuer): IssuerConnection => ({
  issuer,
  client: { clientId, clientSecret, clientAuth: 'post' },
  timeoutMs: ISSUER_MS,
  plainHttp: new URL(issuer).protocol === 'http:',
  fetch,
});

async function authOf({ clientSecret, clientAuth, privateKey }: IssuerClientIdentity): Promise<ClientAuth> {
  const oidc = await import('openid-client');
  if (privateKey) {
    const { importJWK } = await import('jose');
    const { kid } = privateKey;
    const key = (await importJWK(privateKey)) as CryptoKey;
    return oidc.PrivateKeyJwt({ key, ...(kid !== undefined && { kid }) });
  }
  if (clientSecret === undefined) return oidc.None();
  return clientAuth === 'basic' ? oidc.ClientSecretBasic(clientSecret) : oidc.ClientSecretPost(clientSecret);
}

/** What went wrong at an issuer, without anything that was sent: a secret or a token may be in there. */
export type IssuerFailure = {
  /** The error code of OAuth that the issuer answered. */
  readonly reason?: string;
  /** What failed, if the issuer did not answer with such a code. */
  readonly failure?: string;
  readonly status?: number;
};

export function describeFailure(error: unknown): IssuerFailure {
  const { error: reason, status, code, cause } = error as Record<string, unknown>;
  const answer = (cause ?? {}) as { status?: unknown };
  const named = [reason, code].find((each) => typeof each === 'string') as string | undefined;
  const http = [status, answer.status].find((each) => typeof each === 'number') as number | undefined;
  return {
    ...(typeof reason === 'string' ? { reason } : named !== undefined && { failure: named }),
    ...(http !== undefined && { status: http }),
  };
}
