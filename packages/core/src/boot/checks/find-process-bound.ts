import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { problemAt } from '../../base/metadata/call-site.js';
import type { ToolDraft } from '../../call/operation/draft.js';
import { type Node, inDependencyOrder } from '../../container/binding.js';
import { describeToken } from '../../container/provider.js';
import type { Service } from '../classes/service.js';
import type { BackgroundDraft, BindingServer } from '../services/bound-service.js';

type Site = Parameters<typeof problemAt>[0];
type Setting = Pick<BindingServer, 'stores' | 'queue'>;

const ANY = 'but the next request of a client may reach another process';
const QUEUE = 'Set "stores.tasks" (`postgresTasks` of @toolwright/tasks)';

/** Reports what a service keeps in one process, on a server whose requests may reach any process. */
export function findProcessBound(
  { name, site }: Service,
  nodes: readonly Node[],
  { tools, binding }: { readonly tools: readonly ToolDraft[]; readonly binding: Setting },
): readonly ConfigurationProblem[] {
  const kept = inDependencyOrder(nodes).find(({ binding: { scope } }) => scope === 'session');
  const problems = kept
    ? [
        bound(site, {
          message: `${name} uses ${describeToken(kept.binding.token)}, which lives as long as a session and in one process, ${ANY}.`,
          fix: "Give it the scope 'request' and keep its state in a database by ctx.sessionId, or run one process.",
        }),
      ]
    : [];
  if (binding.queue) return problems;
  const tasks = tools.filter(({ task }) => task !== undefined);
  return [
    ...problems,
    ...tasks.map((tool) =>
      bound(tool.site, {
        message: `Calls of the tool "${tool.name}" become tasks, and without a queue only the process that runs a task knows it, ${ANY}.`,
        fix: `${QUEUE}, leave out the option "task", or run one process.`,
      }),
    ),
  ];
}

/** Reports background methods that each process would run for itself. */
export function findRepeatedRuns(
  drafts: readonly BackgroundDraft[],
  { stores, queue }: Setting,
): readonly ConfigurationProblem[] {
  if (!stores.anyProcess || queue?.handsOutTicks) return [];
  return drafts.map(({ name, operation, source: { noun } }) =>
    bound(operation.site, {
      message: `The ${noun} "${name}" would run in each process, because nothing hands its turns out.`,
      fix: `${QUEUE}, or run the ${noun} in a process of its own.`,
    }),
  );
}

function bound(site: Site, words: { message: string; fix: string }): ConfigurationProblem {
  return problemAt(site, 'TW_PROCESS_BOUND', words);
}

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
