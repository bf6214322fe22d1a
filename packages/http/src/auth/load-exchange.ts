import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ConfigurationError, type Principal, ToolError } from '@toolwright/core';
import type { Extension } from '@toolwright/core/extend';
import type { ExchangeRule, TokenForOptions } from './exchange-options.js';

/** What the server of one endpoint gets for its tools: `ctx.tokenFor`. */
export interface TokenExchange {
  /** Keeps the token of a caller for the time of its request, and returns the principal to go on with. */
  hold(principal: Principal, token: string): Principal;
  readonly extension: Extension;
}

/** What is used of `@toolwright/identity`. */
interface IdentityPackage {
  openTokenExchange?(rules: Readonly<Record<string, ExchangeRule>>): TokenExchange;
}

// The name is a variable, so that nothing that bundles this package looks for it.
const PACKAGE = '@toolwright/identity';

/**
 * Loads what exchanges tokens. A server without the option loads none of it.
 *
 * @throws {ConfigurationError} when the package is missing, or a rule is wrong
 */
export function loadExchange(rules: Readonly<Record<string, ExchangeRule>>): TokenExchange {
  const { openTokenExchange } = loadPackage() ?? {};
  if (openTokenExchange) return openTokenExchange(rules);
  throw new ConfigurationError([
    {
      code: 'TW_PACKAGE_MISSING',
      message: `The option "exchange" of oauthResourceServer needs the package ${PACKAGE}, which is not installed here.`,
      fix: `Run \`npm install ${PACKAGE}\`, or leave out "exchange".`,
    },
  ]);
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

function loadPackage(): IdentityPackage | undefined {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- it is optional
    return require(PACKAGE) as IdentityPackage;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  // With strict package folders, this package does not see what only the application has installed.
  for (const from of [process.argv[1], join(process.cwd(), 'package.json')]) {
    try {
      if (from) return createRequire(from)(PACKAGE) as IdentityPackage;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return undefined;
}

function isMissing(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'MODULE_NOT_FOUND' || code === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
}
