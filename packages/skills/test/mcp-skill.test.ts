import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { McpResource, McpService, type McpServer, RequireScopes } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { McpSkill } from '@toolwright/skills';
import { handMadeManifest } from '../../core/test/packages/hand-made-manifest.js';
import { boot, problemsOf } from '../../core/test/support/booting.js';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';

let server: McpServer | undefined;
afterEach(async () => {
  await server?.close(0);
  server = undefined;
});

@McpService()
class Reports {
  private day = 0;

  @McpResource({ uri: 'skill://reports/daily/SKILL.md', name: 'daily', mimeType: 'text/markdown' })
  @McpSkill({ description: 'Write the report: of today.', license: 'MIT', metadata: { version: '2' } })
  daily(): string {
    return `# Day ${++this.day}\n`;
  }

  @McpResource({ uri: 'skill://close-books/SKILL.md', description: 'Close the books.' })
  @McpSkill()
  @RequireScopes('books')
  closeBooks(): string {
    return '# Close\n';
  }
}

const manifestOf = (...methods: string[]) =>
  handMadeManifest({
    file: 'src/reports.ts',
    name: 'Reports',
    methods: Object.fromEntries(methods.map((method) => [method, []])),
  });
const start = async () =>
  (server = await boot({ services: [Reports], manifest: manifestOf('daily', 'closeBooks') }));

test('A method writes a skill, and the official client reads it', async () => {
  const http = await serveHttp(await start(), { port: 0 });
  const client = new Client(
    { name: 'official', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(http.url)));
  const skills = new SkillsClient(client);
  const { skills: listed } = await skills.list();
  expect(listed).toEqual([
    {
      uri: 'skill://reports/daily/SKILL.md',
      frontmatter: {
        name: 'daily',
        description: 'Write the report: of today.',
        license: 'MIT',
        metadata: { version: '2' },
      },
      resources: 'dynamic',
    },
  ]);
  const bodies = [await skills.read(listed[0]!), await skills.read(listed[0]!)].map(({ body }) =>
    body?.trim(),
  );
  expect(bodies).toEqual(['# Day 1', '# Day 2']);
  await client.close();
  await http.close();
});

test('Its description is the one of the resource, and its scopes count', async () => {
  const wire = new StatelessWire(await start(), {
    principal: { subject: 'ann', scopes: ['books'] },
    ip: undefined,
    transport: 'memory',
  });
  const { result } = await wire.request('skills/get', { uri: 'skill://close-books/SKILL.md' });
  expect(result.skill.frontmatter).toEqual({ name: 'close-books', description: 'Close the books.' });
  expect(result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
});

test('A skill without a fitting URI or with a blank description is a problem of the boot', async () => {
  @McpService()
  class Wrong {
    @McpResource({ uri: 'skill://daily' }) @McpSkill({ description: 'd' }) one() {
      return '';
    }
    @McpResource({ uri: 'skill://Daily/SKILL.md' }) @McpSkill({ description: 'd' }) two() {
      return '';
    }
    @McpResource({ uri: 'skill://weekly/SKILL.md' }) @McpSkill({ description: ' ' }) three() {
      return '';
    }
  }
  const manifest = handMadeManifest({
    file: 'src/wrong.ts',
    name: 'Wrong',
    methods: { one: [], two: [], three: [] },
  });
  const problems = await problemsOf({ services: [Wrong], manifest });
  expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
    expect.stringContaining('its URI does not end in "/SKILL.md"'),
    expect.stringContaining('its "name" must have'),
    expect.stringContaining('its "description" must be'),
  ]);
});
