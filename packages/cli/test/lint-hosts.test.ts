import { hosts } from '@toolwright/hosts';
import { compilerOptions } from './support/project-folder.js';
import { SmallProject } from './support/small-project.js';

const source = `import { McpService, McpTool } from '@toolwright/core';

/** Which users. */
interface Wanted {
  /** Their ids. */
  'uids[]': string[];
}

@McpService()
export class UserTools {
  /** Get a user. Returns the name. */
  @McpTool({ name: 'get.user', title: 'Get', annotations: { readOnlyHint: true, openWorldHint: false } })
  getUser(): string {
    return 'Ada';
  }

  /** Get users. Returns their names. */
  @McpTool({ name: 'get_user', title: 'Get all', annotations: { readOnlyHint: true, openWorldHint: false } })
  getUsers(wanted: Wanted): string[] {
    return wanted['uids[]'];
  }
}
`;

/** A server with many tools, whose pages have as many as \`pageSize\` says. */
const app = (pageSize: number) => `import { createMcpServer } from '@toolwright/core';

export async function createServer() {
  const server = await createMcpServer({
    name: 'users',
    version: '1.0.0',
    services: [],
    lists: { pageSize: ${pageSize} },
  });
  for (let index = 0; index < 101; index += 1)
    server.tools.add({ name: \`read_\${index}\`, title: \`Read \${index}\`, description: 'Read.', handler: () => 'read' });
  return server;
}
`;

let project: SmallProject;

beforeAll(() => {
  project = new SmallProject({
    'package.json': { name: '@acme/users' },
    'tsconfig.json': { compilerOptions, include: ['src'] },
    'src/user-tools.ts': source,
    'src/small-pages.ts': app(30),
    'src/one-page.ts': app(101),
  });
  project.build();
});

afterAll(() => project.remove());

const ids = hosts.map(({ id }) => id);

function lint(...words: string[]) {
  const { status, stdout } = project.toolwright('lint', '--format', 'json', ...words);
  return { status, problems: JSON.parse(stdout) as Record<string, string>[] };
}

const ofHosts = (problems: readonly Record<string, string>[], ...rules: string[]) =>
  problems.filter(({ host, rule }) => host !== undefined && (rules.length === 0 || rules.includes(rule!)));

test('each host is judged by its own limits, with the place in the source, and the command fails', () => {
  const { status, problems } = lint(...ids.flatMap((id) => ['--for', id]));
  expect(status).toBe(1);
  const found = (rule: string) => ofHosts(problems, rule).map(({ host, tool }) => `${host} ${tool}`);
  const strict = hosts.filter(({ limits }) => limits?.name && !limits.name.pattern.includes('.'));
  expect(found('host-name')).toEqual(strict.map(({ id }) => `${id} get.user`));
  expect(found('host-same-name')).toEqual(strict.map(({ id }) => `${id} get_user`));
  expect(found('host-key')).toEqual(
    hosts.filter(({ limits }) => limits?.key).map(({ id }) => `${id} get_user`),
  );
  for (const problem of ofHosts(problems))
    expect(problem).toMatchObject({
      severity: 'error',
      source: expect.stringMatching(/^https:\/\//) as string,
      docs: `docs/lint.md#${problem.rule}`,
      location: { file: 'src/user-tools.ts' },
    });
});

test('a host that takes the names finds nothing', () => {
  expect(ofHosts(lint('--for', 'gemini').problems)).toEqual([]);
});

test('the first page is that of the server of the app', () => {
  const pages = (file: string) =>
    ofHosts(lint('--app', `dist/${file}.js`, '--for', 'codex').problems, 'host-tools').map(
      ({ tool, message }) => `${tool}: ${message}`,
    );
  expect(pages('one-page')).toEqual([]);
  expect(pages('small-pages')).toEqual([
    'read_30: Codex CLI reads only the first page, and this is tool 31 of 101. Set lists.pageSize to at least 101, or use a search.',
  ]);
});
