import { type Host, type HostId, hosts } from '@toolwright/hosts';
import type { JsonSchema } from '@toolwright/json';
import { walkProperties } from './directories/mixed-actions.js';
import type { LintedTool, LintProblem } from './lint-problem.js';

/** What a host sees of a server. */
interface SeenServer {
  /** The name under which people usually add it. */
  readonly name: string;
  readonly tools: readonly LintedTool[];
  /** The tools of the list that its first page does not have. */
  readonly onLaterPages: readonly LintedTool[];
}

/** Checks the tools of a server against what hosts are known to refuse: the table of hosts, which names its sources. */
export function lintHosts(server: SeenServer, chosen: readonly HostId[]): LintProblem[] {
  return hosts
    .filter(({ id }) => chosen.includes(id))
    .flatMap((host) => [
      ...server.tools.flatMap((tool) => [
        ...nameProblems(host, tool, server),
        ...keyProblems(host, tool),
        ...choiceProblems(host, tool),
      ]),
      ...sameNames(host, server),
      ...tooMany(host, server),
    ]);
}

type Found = Pick<LintProblem, 'rule' | 'message' | 'source'>;

function problem({ id }: Host, tool: LintedTool | undefined, found: Found): LintProblem {
  return {
    ...found,
    severity: 'error',
    host: id,
    ...(tool && { tool: tool.name }),
    ...(tool?.location && { location: tool.location }),
  };
}

function nameProblems(host: Host, tool: LintedTool, server: SeenServer): LintProblem[] {
  const { name: rule, length } = host.limits ?? {};
  const found: Found[] = [];
  if (rule && !new RegExp(rule.pattern).test(tool.name))
    found.push({
      rule: 'host-name',
      message:
        rule.others === 'refused'
          ? `${host.title} takes only names of the form ${rule.pattern}. Rename it.`
          : `${host.title} shows it as ${shownIn(rule, tool.name)}: its names have the form ${rule.pattern}. Rename it.`,
      source: rule.source,
    });
  const whole = length && `${length.prefix.replace('<server>', server.name)}${tool.name}`;
  if (whole && whole.length > length.most)
    found.push({
      rule: 'host-name',
      message: `its name is ${whole} in ${host.title}: ${whole.length} characters, and ${length.most} are allowed. Shorten it.`,
      source: length.source,
    });
  return found.map((each) => problem(host, tool, each));
}

function keyProblems(host: Host, tool: LintedTool): LintProblem[] {
  const { key } = host.limits ?? {};
  if (!key) return [];
  const refused = new Set<string>();
  const pattern = new RegExp(key.pattern);
  walkProperties(tool.input, (name) => void (pattern.test(name) || refused.add(name)));
  return [...refused].map((name) =>
    problem(host, tool, {
      rule: 'host-key',
      message: `${host.title} refuses its argument ${JSON.stringify(name)}: names have the form ${key.pattern}. Rename it.`,
      source: key.source,
    }),
  );
}

function choiceProblems(host: Host, tool: LintedTool): LintProblem[] {
  const { choices } = host.limits ?? {};
  if (!choices) return [];
  const refused = new Set<string>();
  walkProperties(tool.input, (name, schema) => {
    if (choicesOf(schema).some((choice) => choice !== null && typeof choice !== 'string')) refused.add(name);
  });
  return [...refused].map((name) =>
    problem(host, tool, {
      rule: 'host-choice',
      message: `${host.title} refuses its argument ${JSON.stringify(name)}: it chooses among values that are no texts. Take texts, or a range.`,
      source: choices.source,
    }),
  );
}

/** The values of an argument, and of its alternatives and items. */
function choicesOf({ enum: values = [], const: only, anyOf = [], oneOf = [], items }: JsonSchema): unknown[] {
  const inside: unknown[] = [...anyOf, ...oneOf, items];
  return [
    ...values,
    ...(only === undefined ? [] : [only]),
    ...inside.filter((each) => typeof each === 'object').flatMap((each) => choicesOf(each as JsonSchema)),
  ];
}

type NameRule = NonNullable<NonNullable<Host['limits']>['name']>;

/** The name with `_` for each character that the host does not take. */
function shownIn({ pattern }: NameRule, name: string): string {
  const allowed = new RegExp(pattern);
  return [...name].map((each) => (allowed.test(each) ? each : '_')).join('');
}

/** Names that are the same with `_`: for hosts that write it, and for authors who rename what a host refuses. */
function sameNames(host: Host, { tools }: SeenServer): LintProblem[] {
  const rule = host.limits?.name;
  if (!rule) return [];
  const first = new Map<string, string>();
  return tools.flatMap((tool) => {
    const shown = shownIn(rule, tool.name);
    const known = first.get(shown);
    if (known === undefined) first.set(shown, tool.name);
    if (known === undefined || known === tool.name) return [];
    const message =
      rule.others === 'refused'
        ? `it is ${known} with _ for what ${host.title} refuses. Rename one of them so that they still differ.`
        : `${host.title} takes it for ${known}: both are ${shown} there. Rename one of them.`;
    return [problem(host, tool, { rule: 'host-same-name', message, source: rule.source })];
  });
}

function tooMany(host: Host, { tools, onLaterPages }: SeenServer): LintProblem[] {
  const { tools: limit, firstPage } = host.limits ?? {};
  const found: LintProblem[] = [];
  if (limit && tools.length > limit.most)
    found.push(
      problem(host, tools[limit.most], {
        rule: 'host-tools',
        message: `the list has ${tools.length} tools, and ${host.title} takes ${limit.most} of all servers. Use a search, or split the server.`,
        source: limit.source,
      }),
    );
  if (firstPage && onLaterPages.length > 0)
    found.push(
      problem(host, onLaterPages[0], {
        rule: 'host-tools',
        message: `${host.title} reads only the first page, and this is tool ${tools.length - onLaterPages.length + 1} of ${tools.length}. Set lists.pageSize to at least ${tools.length}, or use a search.`,
        source: firstPage.source,
      }),
    );
  return found;
}
