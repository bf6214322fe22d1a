import type { DefaultTheme } from 'vitepress';
import { readingLine } from './reading.js';

/** Files that pages link to, such as tests; decisions; lists that repeat what guides say. */
const leftOut =
  /^(source\/|adr\/|apps\/|(changelog|claims|benchmarks|features|guides|reference\/index)\.md$)/;

/** Other words for what a page is about. People look for these, and the page does not say them, or only in passing. */
const alsoCalled: Record<string, string> = {
  'getting-started.md': 'start begin install quickstart hello world first server example',
  'cli.md': 'hot reload watch mode, command line, terminal',
  'hosts.md': 'connect Claude Desktop, Claude Code, Cursor, VS Code, ChatGPT, settings of clients',
  'schemas.md': 'validation, optional parameter, default value, enum, DTO, zod schema',
  'context.md':
    'ask the user a question, ask a user, question to the user, elicitation, sampling, report progress, cancel a running call, abort, logging',
  'resources-and-prompts.md': 'autocomplete, suggestions, templates, files',
  'dependency-injection.md': 'inject a service, providers, constructor, container',
  'fetch.md': 'Cloudflare Workers, Vercel, edge, serverless',
  'middleware-and-policies.md':
    'rate limit, throttle, timeout, confirm before deleting, ask before an action',
  'authorization.md':
    'login, sign in, OAuth, JWT, access token, bearer, scopes, roles, permissions, 401, 403',
  'authorization-proxy.md':
    'entra id, azure ad, google, cognito, dynamic client registration, DCR, CIMD, AADSTS, oauth proxy, ID-JAG',
  'sign-in-problems.md':
    'OAuth fails, cannot connect, login loop, invalid_target, AADSTS, audience, redirect_uri mismatch, doctor',
  'tenants.md': 'multi-tenant, organisation, workspace, customers, isolation, plans, quota per customer',
  'security.md': 'CORS, Origin, DNS rebinding, prompt injection, threats',
  'safe-helpers.md': 'path traversal, SSRF, shell injection, read files safely',
  'audit.md': 'who called which tool, record of all calls, compliance',
  'testing.md': 'unit test a tool, mock, Jest',
  'stores.md': 'several processes, replicas, Redis, shared rate limit, shared sessions',
  'schedules.md': 'cron job, every night, timer, interval',
  'openapi.md': 'Swagger, REST API, import an API, generate tools, GraphQL, Postman',
  'mounts.md': 'gateway, proxy, aggregate, compose, upstream, mcpServers, MCP of others',
  'search.md': 'too many tools, tool search, large catalogue, context window, defer loading, toolSearch',
  'skills.md': 'Agent Skills, SKILL.md, instructions for the model, workflow',
  'tool-versions.md': 'deprecate a tool, old version of a tool, v1 and v2, replace a tool, migrate callers',
  'usage.md': 'analytics, statistics, how often is a tool called, which client calls, cost',
  'telemetry.md': 'tracing, OpenTelemetry, Prometheus, metrics',
  'upgrading.md':
    'upgrade to a new release, upgrade to a new version, what changed in the new release, breaking changes',
  'runbook/redis-full-or-read-only.md': 'Redis is full, out of memory, READONLY',
  'performance.md': 'slow, fast, benchmark, latency',
};

/**
 * What the search index has of a page: its prose. Of the reference it has the names and the first sentences. More would be
 * most of the index, and hide the guides.
 *
 * @returns Markdown; empty if the search must not find the page
 */
export function indexedPart(markdown: string, path: string): string {
  if (leftOut.test(path)) return '';
  if (path.startsWith('reference/')) return startOf(markdown);
  const words = alsoCalled[path];
  const prose = withoutCode(markdown).replace(readingLine, '');
  return words === undefined ? prose : prose.replace(/^# .*$/m, `$&\n\n${words}`);
}

/** The title of a page of the reference, and the first sentence below it. */
function startOf(markdown: string): string {
  const [, title = '', first = ''] = /^(# .*)\n[^]*?\n\n([A-Z][^\n]*(?:\n[^\n#]+)*)/m.exec(markdown) ?? [];
  return `${title}\n\n${/^[^]+?[.:](?=\s|$)/.exec(first)?.[0] ?? first}`;
}

/** Blocks of code have names that the text beside them has, too, and names of examples, which nobody looks for. */
const withoutCode = (markdown: string) => markdown.replace(/^\s*```[\s\S]*?^\s*```\s*$/gm, '');

/**
 * The settings of MiniSearch for the build and for browsers. The functions are sent to browsers as text, so each one has
 * all that it needs inside.
 */
export const searchSettings = {
  options: {
    /** The names of errors stay whole. */
    tokenize: (text: string): string[] => text.split(/[^\p{L}\p{N}_]+/u),
    /** Words of questions that say nothing are left out, and a plural is the same as its singular. */
    processTerm: (term: string): string | null => {
      const word = term.toLowerCase();
      const empty =
        /^(|a|an|and|are|as|at|be|before|by|can|do|does|for|from|have|how|i|if|in|is|it|its|may|me|must|my|need|of|on|or|so|that|the|their|them|then|there|they|this|to|use|was|we|what|when|where|which|who|why|will|with|you|your)$/;
      if (empty.test(word)) return null;
      return /[^su]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word;
    },
  },
  searchOptions: {
    boost: { title: 4, titles: 2, text: 1 },
    prefix: (term: string) => term.length > 2,
    fuzzy: (term: string) => (term.length > 5 && !term.includes('_') ? 0.2 : false),
    /** A guide answers a question. The reference and the pages of errors answer those who know a name. */
    boostDocument: (id: string, term: string, stored?: Record<string, unknown>): number => {
      const name = (id.split('#')[0] ?? '').replace(/^.*\//, '').toLowerCase();
      if (/^\/errors\//.test(id)) return name === term ? 4 : 0.1;
      if (/^\/reference\//.test(id)) return name === term ? 0.5 : 0.1;
      const isTop = (stored?.['titles'] as string[] | undefined)?.length === 0;
      const first = isTop && !id.startsWith('/runbook/') ? 3 : 1;
      const isForFew = /^\/(packages\/|releasing|contributing|architecture|reference-servers|errors)/;
      return isForFew.test(id) ? first / 4 : first;
    },
  },
} satisfies NonNullable<DefaultTheme.LocalSearchOptions['miniSearch']>;
