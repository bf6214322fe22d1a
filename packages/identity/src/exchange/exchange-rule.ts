import { isSecureUrl } from '@toolwright/json';
import { ConfigurationError, type ConfigurationProblem } from '@toolwright/core';
import { type ExchangeRule, optionRules, type OptionSchema, parseOptions } from '@toolwright/core/options';

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
      if (problem) throw new ConfigurationError(problem);
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
  if (!isSecureUrl(issuer))
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

const quote = (value: string): string => JSON.stringify(value);
