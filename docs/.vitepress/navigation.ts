import { packagesOf } from './build/sample.js';
import { publishedPackages } from './build/workspace.js';

/** A line of a menu, in the form of the generator's default theme. */
interface MenuItem {
  text: string;
  link?: string;
  collapsed?: boolean;
  items?: MenuItem[];
}

/** A link by the name of the page's file; the text is its title, unless it is too long for a menu. */
type Entry = string | [path: string, text: string];

/** The guides in the order in which a reader needs them. A test holds that each guide is here exactly once. */
export const guideSections: Record<string, Entry[]> = {
  'First steps': [
    'getting-started',
    'tutorial',
    'core-in-20-names',
    'guides',
    'scaffolding',
    'gallery',
    'desk',
  ],
  'Write tools': [
    'decorators',
    'schemas',
    ['context', 'The call’s context'],
    'resources-and-prompts',
    'dependency-injection',
    'views',
    'mcp-apps',
    'views-in-hosts',
    'tasks',
    'openapi',
    'tables',
    'mounts',
    'search',
    ['code-mode', 'Code mode'],
    'skills',
    'changing-a-running-server',
  ],
  Serve: [
    'http-and-stdio',
    'mounting-in-express',
    'fastify',
    'nestjs',
    ['fetch', 'Hono, Next.js, Bun, Deno, workerd'],
    'hosts',
    'publish',
    'transports',
    ['extending', 'Packages that extend servers'],
  ],
  Protect: [
    'security',
    'threat-model',
    'authorization',
    'issuers',
    'on-behalf-of',
    'approvals',
    'api-keys',
    'authorization-proxy',
    'sign-in-problems',
    'tenants',
    'middleware-and-policies',
    'external-decisions',
    'safe-helpers',
    'audit',
    'personal-data',
  ],
  'Build and test': [
    'cli',
    'console',
    ['chat', 'A chat in the console'],
    'manifests',
    'toolchains',
    'testing',
    'evaluate',
    'lint',
    'contract-lock',
    ['replay', 'Record and replay'],
    'tool-versions',
    'windows',
  ],
  Operate: [
    'more-than-one-core',
    'fleet',
    'stores',
    'postgres',
    'durable-tasks',
    'schedules',
    'telemetry',
    'usage',
    'reliability',
    'unhandled-failures',
    'performance',
    'benchmarks',
  ],
  Runbook: [
    ['runbook/index', 'All alarms'],
    'runbook/audit-disk-full',
    'runbook/redis-full-or-read-only',
    'runbook/postgres-away',
    'runbook/queue-behind-one-owner',
    'runbook/poisoned-task',
    'runbook/mounted-server-changed',
    'runbook/changed-tool-with-tasks-waiting',
    'runbook/clock-skew',
    'runbook/descriptors',
    'runbook/many-401',
    'runbook/calls-wait-for-slots',
  ],
  Recipes: [
    'recipes/databases',
    'recipes/uploads',
    'recipes/contract-in-pull-requests',
    'recipes/metrics',
    'recipes/pino',
    'recipes/pm2',
    'recipes/behind-a-proxy',
    'recipes/lambda',
    'recipes/kubernetes',
  ],
  'Coming from': [
    ['coming-from-the-sdk', 'The official SDK'],
    ['coming-from-mcp-nest', 'MCP-Nest'],
    ['coming-from-fastmcp', 'FastMCP'],
    ['coming-from-xmcp', 'xmcp'],
    ['recipes/back-to-the-sdk', 'And back to the SDK'],
  ],
  'The project': [
    'changelog',
    'upgrading',
    'versions',
    'features',
    ['claims', 'What holds the claims'],
    'reference-servers',
    'contributing',
    'architecture',
    ['adr/index', 'Decisions'],
    ['security-policy', 'Report a vulnerability'],
  ],
};

/** The link of a page, as the generator wants it. */
const linkTo = (path: string) => `/${path.replace(/(^|\/)index$/, '$1')}`;

const itemOf = (titles: Map<string, string>, entry: Entry): MenuItem => {
  const [path, text] = typeof entry === 'string' ? [entry, undefined] : entry;
  const title = text ?? titles.get(`${path}.md`);
  if (title === undefined) throw new Error(`The menu names ${path}.md, which does not exist.`);
  return { text: title, link: linkTo(path) };
};

/** The menus beside the pages. */
export function sidebarOf(titles: Map<string, string>): Record<string, MenuItem[]> {
  const guides = Object.entries(guideSections).map(([text, entries]) => ({
    text,
    collapsed: false,
    items: entries.map((entry) => itemOf(titles, entry)),
  }));
  const packages = packagesOf(publishedPackages());
  const reference = [
    {
      text: 'Reference',
      items: [
        { text: 'All packages', link: '/reference/' },
        { text: 'Error codes', link: '/errors' },
      ],
    },
    ...packages.map(({ name, folder, entries }) => ({
      text: name,
      items: [
        ...(titles.has(`packages/${folder}.md`) ? [{ text: 'About', link: `/packages/${folder}` }] : []),
        ...entries.map(({ specifier }) => ({
          text: specifier === name ? 'Names' : `Names of ${specifier.slice(name.length)}`,
          link: `/reference/${folder}${specifier.slice(name.length)}/`,
        })),
      ],
    })),
  ];
  return { '/': guides, '/reference/': reference, '/packages/': reference, '/errors': reference };
}

/**
 * The menu of versions. Each version is a site of its own, and only who publishes them knows their addresses.
 *
 * @param current the version of this site
 * @param published the setting SITE_VERSIONS: `0.1=https://docs.example.com/0.1/ next=https://docs.example.com/next/`
 */
export function versionMenu(current: string, published = '') {
  const others = published
    .split(/\s+/)
    .filter(Boolean)
    .map((pair) => {
      const [, text, link] = /^([\w.]+)=(https?:\/\/\S+)$/.exec(pair) ?? [];
      if (text === undefined || link === undefined)
        throw new Error(
          `SITE_VERSIONS has "${pair}". Write names and addresses: 0.1=https://docs.example.com/0.1/`,
        );
      return { text, link };
    })
    .filter(({ text }) => text !== current);
  return {
    text: current,
    items: [
      { text: 'Versions', items: [{ text: `${current} (this site)`, link: '/' }, ...others] },
      {
        text: 'What changed',
        items: [
          { text: 'Changelog', link: '/changelog' },
          { text: 'Upgrading', link: '/upgrading' },
        ],
      },
    ],
  };
}
