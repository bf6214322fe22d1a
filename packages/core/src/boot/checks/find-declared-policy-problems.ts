import { builtInPolicies } from '../../policies/guards.js';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { type PolicyValue, readPolicy } from '../../policies/define-policy.js';
import type { DeclaredOperation } from '../drafts/draft-declared.js';

/** Finds wrong options of built-in policies, as far as the source contains the options. */
export function findDeclaredPolicyProblems({
  key,
  policies: declared = [],
}: DeclaredOperation): ConfigurationProblem[] {
  // In `src/note-tools.ts#NoteTools.find`, the class and the method.
  const where = key.slice(key.indexOf('#') + 1);
  return declared.flatMap(({ decorator, arguments: args }) => {
    const policy = builtInPolicies.get(decorator);
    if (!policy) return [];
    const [name, { options }] = policy.entry(...(args as never[]));
    return readPolicy(name, options as PolicyValue, where)?.problems ?? [];
  });
}
