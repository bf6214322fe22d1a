import { inDependencyOrder, type Node } from '../../container/binding.js';
import { describeToken } from '../../container/token.js';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { problemAt } from '../../base/metadata/site-problem.js';
import type { Service } from '../services/service.js';

/** Reports instances with session scope on a server without sessions. */
export function findSessionUse(
  { name, site }: Service,
  nodes: readonly Node[],
): readonly ConfigurationProblem[] {
  const kept = inDependencyOrder(nodes).find(({ binding }) => binding.scope === 'session');
  if (!kept) return [];
  const what = describeToken(kept.binding.token);
  return [
    problemAt(site, 'TW_SESSION_REQUIRED', {
      message: `${name} uses ${what}, which lives as long as a session, but a server with stateful: false has no sessions.`,
      fix: "Give it the scope 'request' and keep its state by an id that callers pass back or by ctx.principal, or leave out stateful: false.",
    }),
  ];
}
