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
import type { ConfigurationProblem } from '../errors/configuration-error.js';
import type { PolicyValue } from '../pipeline/policy-value.js';
import type { DeclaredOperation } from './draft-declared.js';
import { readPolicy } from './read-policy.js';

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
    if (!policy) return [];
    const [name, { options }] = policy.entry(...(args as never[]));
    return readPolicy(name, options as PolicyValue, where)?.problems ?? [];
  });
}
