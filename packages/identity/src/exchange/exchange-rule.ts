import { readUrl, isLoopback } from '@toolwright/json';
import { ConfigurationError, type ConfigurationProblem } from '@toolwright/core';
import { type Duration, optionRules, type OptionSchema, parseOptions } from '@toolwright/core/options';

/** How a server gets tokens for one resource. */
export interface ExchangeRule {
  /**
   * - `token-exchange`: the issuer exchanges the caller's token (RFC 8693)
   * - `on-behalf-of`: the same at Entra ID (`requested_token_use=on_behalf_of`)
   * - `client-credentials`: a token of the server itself, the same for all callers
   * - `stored-grant`: the user signs in once at the issuer of the resource, on a page (option `grants`)
   */
  by: 'token-exchange' | 'on-behalf-of' | 'client-credentials' | 'stored-grant';
  /** The issuer of the tokens. Its metadata names its endpoints. */
  issuer: string;
  /** The client that this server is for the issuer. */
  clientId: string;
  /** Without it, the client is a public one. */
  clientSecret?: string;
  /** How the client shows its secret. Default `post`. */
  clientAuth?: 'basic' | 'post';
  /** The scopes that tools may ask for. A tool that names none asks for all of them. Default: tools ask for what they like. */
  scopes?: readonly string[];
  /** Is sent as `audience`, in place of `resource`. For issuers that know no resource indicators (RFC 8707). */
  audience?: string;
  /** Further parameters which the issuer wants: of the request for a token, or of the sign-in by `stored-grant`. */
  parameters?: Readonly<Record<string, string>>;
  /** How long the issuer may take. Default 10 seconds. More than 0, at most a day. */
  timeout?: Duration;
  /** Sends the requests, such as with a CA of your own. Default: `fetch`. */
  fetch?: typeof fetch;
}

/** A rule that was checked and completed. */
export interface ResourceRule extends Omit<ExchangeRule, 'timeout' | 'scopes' | 'parameters' | 'clientAuth'> {
  readonly resource: string;
  readonly clientAuth: 'basic' | 'post';
  readonly scopes: readonly string[] | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

const { callback, driverTimeout, filledText, listOf, oauthScope, oneOf, recordOf, required, secret, text } =
  optionRules;

const ruleOptions = {
  by: required(oneOf('token-exchange', 'on-behalf-of', 'client-credentials', 'stored-grant')),
  issuer: required(filledText),
  clientId: required(filledText),
  clientSecret: secret(filledText),
  clientAuth: { ...oneOf('basic', 'post'), default: 'post' },
  scopes: listOf('a list of scopes', oauthScope),
  audience: filledText,
  parameters: { ...recordOf('an object with strings', text), default: {} },
  timeout: { ...driverTimeout, default: '10s' },
  fetch: callback,
} satisfies OptionSchema<ExchangeRule>;

/**
 * @returns the rules, by resource
 * @throws {ConfigurationError} with what is wrong
 */
export function parseRules(given: Readonly<Record<string, ExchangeRule>>): Map<string, ResourceRule> {
  return new Map(
    Object.entries(given).map(([resource, rule]) => {
      const { timeout, scopes, ...rest } = parseOptions(`exchange[${quote(resource)}]`, ruleOptions, rule);
      const parsed = { ...rest, scopes, resource, timeoutMs: timeout } as unknown as ResourceRule;
      const problem = findProblem(parsed);
      if (problem) throw new ConfigurationError([problem]);
      return [resource, parsed];
    }),
  );
}

function findProblem({ resource, issuer, by, clientSecret }: ResourceRule): ConfigurationProblem | undefined {
  const problem = (message: string, fix: string): ConfigurationProblem => ({
    code: 'TW_OPTION_INVALID',
    message: `oauthResourceServer: exchange[${quote(resource)}]: ${message}`,
    fix,
  });
  if (resource === '') return problem('the resource has no name.', 'Name what the tokens are for.');
  if (!isSecure(issuer))
    return problem(
      `the issuer ${quote(issuer)} is no https URL.`,
      'Write its URL, as in its metadata. Plain http is accepted on this machine only.',
    );
  if (clientSecret === undefined && by === 'client-credentials')
    return problem(
      'client credentials need a secret.',
      'Set "clientSecret", from the environment or a secret store.',
    );
  return undefined;
}

/** HTTPS, and HTTP only on this machine. */
function isSecure(text: string): boolean {
  const url = readUrl(text);
  const isLocal = url && isLoopback(url);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal === true);
}

const quote = (value: string): string => JSON.stringify(value);
