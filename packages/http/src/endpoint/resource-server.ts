import type { ClaimStore, Clock, Logger } from '@toolwright/core/ports';
import type { MaybePromise } from '@toolwright/core/transport';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authentication } from './authentication.js';
import type { ChallengeForm, ChallengeParameters } from './bearer.js';

/** An OAuth 2.1 resource server. Pass it to `mcpHttp`, `serveHttp` or `mcpFetch` as `oauth`. */
export interface OAuthResourceServer {
  readonly authenticate: (req: IncomingMessage | Request) => MaybePromise<Authentication>;
  /** The URL of the endpoint that the tokens are for. */
  readonly resource: string;
  /** False for an issuer whose tokens are never accepted. */
  readonly trusts: (issuer: string) => boolean;
  /** The form in which callers learn which scopes they lack. */
  readonly challenge: ChallengeForm;
  /** The value of `WWW-Authenticate`: the metadata is added, and scopes are named as clients ask for them. */
  readonly writeChallenge: (parameters: ChallengeParameters) => string;
  /** How clients ask for scopes: with the option `scopePrefix`. */
  readonly askedScopes: (scopes: readonly string[]) => readonly string[];
  /** Is called by the endpoint, once, before its first request. */
  readonly serve: (server: ProofServer) => void;
  /** The URL of the protected resource metadata (RFC 9728). Every challenge names it. */
  readonly metadataUrl: string;
  /** Serves the metadata: `app.use(oauth.metadata)`. `serveHttp` does this by itself. */
  readonly metadata: (req: IncomingMessage, res: ServerResponse, next?: () => void) => void;
  /** The same for web-standard requests. `undefined` when the request asks for something else. */
  readonly metadataResponse: (request: Request) => Promise<Response> | undefined;
  /**
   * Serves the page of the option `grants`: `app.use(oauth.pages)`. `serveHttp` does this by itself. It leaves all other
   * requests alone.
   */
  readonly pages: (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void;
  /**
   * Gives the tools of a server `ctx.tokenFor`. Endpoints do it by themselves. Call it in a process that serves no endpoint,
   * such as a worker of durable tasks.
   */
  readonly attach: (server: object) => Promise<void>;
}

/** What a proof may use of the server. */
export interface ProofServer {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Remembers what was used. The processes of a fleet share it. */
  readonly claims: ClaimStore;
}
