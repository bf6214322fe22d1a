import { Audit } from '../../policies/audit/audit.js';
import { Cache } from '../../policies/cache/cache.js';
import { Concurrency } from '../../policies/concurrency/concurrency.js';
import { Confirm } from '../../policies/confirm/confirm.js';
import { HiddenText } from '../../policies/output/hidden-text.js';
import { MaxOutput } from '../../policies/output/max-output.js';
import { RateLimit } from '../../policies/rate-limit/rate-limit.js';
import { RequireScopes } from '../../policies/authorize/require-scopes.js';
import { Timeout } from '../../policies/timeout/timeout.js';
import { UndeclaredOutput } from '../../policies/output/undeclared-output.js';
import type { PolicyEntry } from '../../base/metadata/policy.js';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import type { PolicyValue } from '../../policies/policy-value.js';
import type { DeclaredOperation } from '../drafts/draft-declared.js';
import { readPolicy } from '../../policies/read-policy.js';

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
