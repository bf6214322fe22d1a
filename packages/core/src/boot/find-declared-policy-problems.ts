import { Audit } from '../decorators/audit.js';
import { Cache } from '../decorators/cache.js';
import { Concurrency } from '../decorators/concurrency.js';
import { Confirm } from '../decorators/confirm.js';
import { HiddenText } from '../decorators/hidden-text.js';
import { MaxOutput } from '../decorators/max-output.js';
import { RateLimit } from '../decorators/rate-limit.js';
import { RequireScopes } from '../decorators/require-scopes.js';
import { Timeout } from '../decorators/timeout.js';
import { UndeclaredOutput } from '../decorators/undeclared-output.js';
import type { PolicyEntry } from '../metadata/policy.js';
import { ConfigurationError, type ConfigurationProblem } from '../errors/configuration-error.js';
import type { PolicyValue } from '../pipeline/policy-value.js';
import type { DeclaredOperation } from './draft-declared.js';

type BuiltIn = { entry(...args: never[]): [name: string, entry: PolicyEntry] };

const policies = new Map<string, BuiltIn>(
  Object.entries({
    Audit,
    Cache,
    Concurrency,
    Confirm,
    HiddenText,
    MaxOutput,
    RateLimit,
    RequireScopes,
    Timeout,
    UndeclaredOutput,
  }),
);

/** Finds the options of built-in policies that no server starts with, as far as the source tells the options. */
export function findDeclaredPolicyProblems({
  key,
  policies: declared = [],
}: DeclaredOperation): ConfigurationProblem[] {
  // Of `src/note-tools.ts#NoteTools.find`, the class and the method.
  const where = key.slice(key.indexOf('#') + 1);
  return declared.flatMap(({ decorator, arguments: args }) => {
    const policy = policies.get(decorator);
    return policy ? problemsOf(policy.entry(...(args as never[])), where) : [];
  });
}

/** A policy checks its options when they are first read. */
function problemsOf(
  [name, { options: value }]: [string, PolicyEntry],
  where: string,
): ConfigurationProblem[] {
  try {
    void (value as PolicyValue).options;
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return [...error.problems];
    const message = `The policy ${name} of ${where}: ${(error as Error).message}`;
    return [{ code: 'TW_POLICY_INVALID', message, fix: 'Correct the decorator.' }];
  }
}
