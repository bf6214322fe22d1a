import type { Page } from './page.js';

/** The first page. The README says the same to people who come from the repository. */
export function homePage(): Page {
  return {
    path: 'index.md',
    markdown: sample,
    frontmatter: {
      layout: 'home',
      title: 'Toolwright',
      titleTemplate: 'MCP servers from plain TypeScript classes',
      description:
        'A decorator-based framework for MCP servers in TypeScript. The signature of a method is the schema of the tool.',
      hero: {
        name: 'Toolwright',
        text: 'MCP servers from plain TypeScript classes',
        tagline:
          'Decorate a method, and a language model can call it. Its signature is the schema. Every call is validated, limited and audited before your code runs.',
        actions: [
          { theme: 'brand', text: 'Get started', link: '/getting-started' },
          { theme: 'alt', text: 'Tutorial in six steps', link: '/tutorial' },
          { theme: 'alt', text: 'Reference', link: '/reference/' },
        ],
      },
      features: [
        {
          title: 'The signature is the schema',
          details:
            'Types, defaults and comments become JSON Schema when you build. DTOs of class-validator and schemas of Zod, Valibot and ArkType work, too.',
          link: '/schemas',
        },
        {
          title: 'Guarded from the first call',
          details:
            'Validation, scopes, rate limits, deadlines, confirmation and masked errors. The annotations of a tool choose how strict they are.',
          link: '/middleware-and-policies',
        },
        {
          title: 'An audit log that proves itself',
          details:
            'Append-only, hash-chained and signed. A destructive tool does not run if its call cannot be recorded.',
          link: '/audit',
        },
        {
          title: 'At home in your app',
          details:
            'One line in Express, Fastify or NestJS; web-standard requests for Hono, Next.js, Bun, Deno and workerd; stdio and plain node:http.',
          link: '/http-and-stdio',
        },
        {
          title: 'Every revision of the protocol',
          details:
            'One endpoint serves clients from 2024-11-05 to 2026-07-28. The official conformance suite checks both eras.',
          link: '/transports',
        },
        {
          title: 'From one process to a fleet',
          details: 'Limits, sessions, streams and durable tasks are shared through Redis and PostgreSQL.',
          link: '/fleet',
        },
      ],
    },
  };
}

const sample = `
## A tool is a method

\`\`\`ts
@McpService()
export class PageTools {
  constructor(private readonly pages: PageStore) {}

  /**
   * Search pages by title. Returns the pages, best match first.
   * @param query words to look for
   */
  @McpTool({ name: 'search_pages', annotations: { readOnlyHint: true } })
  @RateLimit({ points: 60, per: '1m' })
  async searchPages(/** @minLength 2 */ query: string, /** @maximum 100 */ limit: integer = 10): Promise<Page[]> {
    return this.pages.search(query, limit);
  }
}

const server = await createMcpServer({ name: 'pages', version: '1.0.0', services: [PageTools], providers: [PageStore] });
app.use('/mcp', mcpExpress(server)); // an Express app that was already there
\`\`\`

\`npm create toolwright@latest my-server\` writes a small app that runs. [Getting started](/getting-started.md) explains
it in ten minutes.
`;
