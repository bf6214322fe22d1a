import { type Host, type HostId, hosts } from '@toolwright/hosts';
import { walkProperties } from './directories/mixed-actions.js';
import type { LintedTool, LintProblem } from './lint-problem.js';

/** The default of `lists.pageSize`. */
const PAGE_SIZE = 100;

/** What a host sees of a server. */
interface SeenServer {
  /** The name under which people usually add it. */
  readonly name: string;
  readonly tools: readonly LintedTool[];
}

/** Checks the tools of a server against what hosts are known to refuse: the table of hosts, which names its sources. */
export function lintHosts(server: SeenServer, chosen: readonly HostId[]): LintProblem[] {
  return hosts
    .filter(({ id }) => chosen.includes(id))
    .flatMap((host) => [
      ...server.tools.flatMap((tool) => [...nameProblems(host, tool, server), ...keyProblems(host, tool)]),
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
      message: `${host.title} takes only names of the form ${rule.pattern}. Rename it.`,
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

/** Names that are the same once the host has written `_` for each character that it does not take. */
function sameNames(host: Host, { tools }: SeenServer): LintProblem[] {
  const rule = host.limits?.name;
  if (!rule) return [];
  const allowed = new RegExp(rule.pattern);
  const shown = (name: string) => [...name].map((each) => (allowed.test(each) ? each : '_')).join('');
  const first = new Map<string, string>();
  return tools.flatMap((tool) => {
    const known = first.get(shown(tool.name));
    if (known === undefined) first.set(shown(tool.name), tool.name);
    if (known === undefined || known === tool.name) return [];
    const message = `${host.title} takes it for ${known}: both are ${shown(tool.name)} there. Rename one of them.`;
    return [problem(host, tool, { rule: 'host-same-name', message, source: rule.source })];
  });
}

function tooMany(host: Host, { tools }: SeenServer): LintProblem[] {
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
  if (firstPage && tools.length > PAGE_SIZE)
    found.push(
      problem(host, tools[PAGE_SIZE], {
        rule: 'host-tools',
        message: `${host.title} reads only the first page, and this is tool ${PAGE_SIZE + 1} of ${tools.length}. Set lists.pageSize to at least ${tools.length}, or use a search.`,
        source: firstPage.source,
      }),
    );
  return found;
}
