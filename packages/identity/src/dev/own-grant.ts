import type { KoaContextWithOIDC, Provider, errors as Errors } from 'oidc-provider';

export interface OwnGrant {
  readonly type: string;
  /** The ids of the clients that may use it. */
  readonly clients: readonly string[];
  /** The parameters of the request, besides those of every request. */
  readonly parameters: readonly string[];
  /** Puts the answer into `ctx.body`. */
  answer(ctx: KoaContextWithOIDC): Promise<void>;
}

/**
 * Adds a grant that gives a token without a page. Only clients of the configuration may use it: what a client says of itself,
 * in a registration or in a metadata document, gives it no grant.
 */
export function addOwnGrant(
  provider: Provider,
  { UnauthorizedClient }: typeof Errors,
  { type, clients, parameters, answer }: OwnGrant,
): void {
  const grant = (ctx: KoaContextWithOIDC): Promise<void> => {
    if (clients.includes(ctx.oidc.client!.clientId)) return answer(ctx);
    throw new UnauthorizedClient('this grant is for clients of the configuration of this server only');
  };
  provider.registerGrantType(type, grant as never, [...parameters]);
}
