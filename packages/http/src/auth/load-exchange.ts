import { type Principal, ToolError } from '@toolwright/core';
import type { Extension } from '@toolwright/core/extend';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExchangeRule, GrantsOptions, TokenForOptions } from '@toolwright/core/options';
import { loadIdentity } from './load-identity.js';

/** What the server of one endpoint gets for its tools: `ctx.tokenFor`. */
export interface TokenExchange {
  /** Keeps the token of a caller for the time of its request, and returns the principal to go on with. */
  hold(principal: Principal, token: string): Principal;
  readonly extension: Extension;
  /** Serves the page of `grants`, and leaves all other requests alone. */
  readonly pages: (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void;
}

/** The option `grants`, and what says who a person is. */
export interface GrantsSetting {
  readonly options: GrantsOptions;
  readonly tokens: {
    readonly resource: string;
    authenticate(req: Request): unknown;
    askedScopes(scopes: readonly string[]): readonly string[];
    trusts(issuer: string): boolean;
  };
}

/**
 * Loads what exchanges tokens. A server without the option loads none of it.
 *
 * @throws {ConfigurationError} when the package is missing, or a rule is wrong
 */
export function loadExchange(
  rules: Readonly<Record<string, ExchangeRule>>,
  grants: GrantsSetting | undefined,
): TokenExchange {
  type Open = (rules: Readonly<Record<string, ExchangeRule>>, grants?: GrantsSetting) => TokenExchange;
  return loadIdentity<Open>('openTokenExchange', 'exchange')(rules, grants);
}

/**
 * Gives the tools of a server `ctx.tokenFor`.
 *
 * @param exchange if it is `undefined`, `tokenFor` fails and names the option
 */
export async function addExchange(
  server: object,
  exchange: Pick<TokenExchange, 'extension'> | undefined,
): Promise<void> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- endpoints without OAuth need nothing of it
  const { extend } = require('@toolwright/core/extend') as typeof import('@toolwright/core/extend');
  await extend(server as never, exchange?.extension ?? withoutExchange());
}

/** What `ctx.tokenFor` is without the option: an error that names it. */
function withoutExchange(): Extension {
  const tokenFor = () => async (resource: string, _options?: TokenForOptions) => {
    throw new ToolError(
      `This tool needs a token for ${resource}, and the server has no way to get one. Its operator adds the resource to the option "exchange" of oauthResourceServer.`,
      { code: 'TW_TOKEN_RULE' },
    );
  };
  return { name: '@toolwright/http exchange', start: () => ({ context: { tokenFor } }) };
}
