import type { ErrorCode } from '@toolwright/ground/base/errors/catalogue';
import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import { problemAt } from '@toolwright/ground/base/metadata/call-site';
import { locationOf, type ToolDraft } from '@toolwright/ground/call/operation/draft';
import { inDependencyOrder, type Node } from '../../container/binding.js';
import { describeToken } from '../../container/provider.js';
import { backgroundPolicies } from '../../policies/guards.js';
import type { BackgroundWords } from '../../tasks/background-request.js';
import type { Service } from '../classes/service.js';
import type { BackgroundDraft, FoundMethod, BindingServer } from '../services/bound-service.js';

interface ProblemText {
  readonly message: string;
  readonly fix: string;
}

/**
 * The problems of one method that a package runs.
 *
 * @param own what the package does not like
 */
export function findBackgroundProblems(
  found: FoundMethod,
  words: BackgroundWords,
  own: ProblemText | undefined,
): ConfigurationProblem[] {
  const { record, method, label } = found;
  const texts = [own, ...callProblems(found, words), sessionUse(found, words)];
  const problems = texts.flatMap((text) => (text ? [problemAt(record.site, codeOf(words), text)] : []));
  if (found.tool) return problems;
  const idle = method.records.filter(({ kind, name }) => kind === 'policy' && !backgroundPolicies.has(name));
  return [
    ...problems,
    ...idle.map(({ name, site }) =>
      problemAt(site, 'TW_POLICY_MISPLACED', {
        message: `The policy "${name}" would do nothing on ${label}, because nobody calls this method: it runs by its ${words.noun}.`,
        fix: `Remove its decorator. Methods with @${record.name} can have ${[...backgroundPolicies].join(' and ')}.`,
      }),
    ),
  ];
}

/** The methods that several services have found, once each. */
export function distinctDrafts(drafts: readonly BackgroundDraft[]): BackgroundDraft[] {
  return drafts.filter(
    ({ operation: { site }, owner }, index) =>
      drafts.findIndex((other) => other.operation.site === site && other.owner === owner) === index,
  );
}

/** Two methods with one name would take each other's turns. */
export function findEqualNames(drafts: readonly BackgroundDraft[]): ConfigurationProblem[] {
  const byName = new Map<string, BackgroundDraft>();
  return drafts.flatMap((draft) => {
    const { name, operation, source, decorator } = draft;
    const key = `${source.noun} ${name}`;
    const other = byName.get(key);
    if (!other) byName.set(key, draft);
    if (!other) return [];
    const { location } = locationOf(other.operation);
    return [
      {
        code: codeOf(source),
        message: `Two ${source.noun}s have the name "${name}"${location ? `; the other one is at ${location}` : ''}.`,
        fix: `Give one of them another name, with the option "name" of @${decorator}.`,
        ...locationOf(operation),
      },
    ];
  });
}

/** The package lists it among its errors. */
function codeOf({ noun }: BackgroundWords): ErrorCode {
  return `TW_${noun.toUpperCase()}_INVALID` as ErrorCode;
}

/** A background method gets no arguments. */
function* callProblems(
  { label, method, tool, holder }: FoundMethod,
  { noun, participle }: BackgroundWords,
): Generator<ProblemText> {
  const needed = tool ? tool.inputSchema.required : undefined;
  if (needed?.length)
    yield {
      message: `${label} is a tool that needs the argument "${needed[0]!}", and a ${noun} passes none.`,
      fix: `Give the argument a default value, or decorate another method that calls this one.`,
    };
  // Parameters with a default value do not count.
  if (!tool && (holder[method.method]?.length ?? 0) > 1)
    yield {
      message: `${label} has several parameters, and a ${noun} passes only a ToolContext.`,
      fix: 'Let the method take nothing or a ToolContext, and take services in the constructor.',
    };
  if (method.records.some(({ kind }) => otherKinds.has(kind)))
    yield {
      message: `${label} is ${participle}, and is a prompt, a resource or a page.`,
      fix: `Only tools and methods that are nothing else can be ${participle}. Write a method of its own.`,
    };
}

const otherKinds = new Set<string>(['prompt', 'resource', 'resourceTemplate', 'app']);

function sessionUse({ label, node }: FoundMethod, { participle }: BackgroundWords): ProblemText | undefined {
  const kept = node && inDependencyOrder([node]).find(({ binding }) => binding.scope === 'session');
  return (
    kept && {
      message: `${label} uses ${describeToken(kept.binding.token)}, which lives as long as a session, and a ${participle} run has none.`,
      fix: "Move the method to a class whose scope is 'singleton' or 'request'.",
    }
  );
}

type Site = Parameters<typeof problemAt>[0];

const ANY = 'but the next request of a client may reach another process';
const QUEUE = 'Set "stores.tasks" (`postgresTasks` of @toolwright/tasks)';

/** Reports what a service keeps in one process, on a server whose requests may reach any process. */
export function findProcessBound(
  { name, site }: Service,
  nodes: readonly Node[],
  { tools, binding }: { readonly tools: readonly ToolDraft[]; readonly binding: BindingServer },
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
  { stores, queue }: BindingServer,
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
