import { runIn } from './support/recording-terminal.js';
import { compilerOptions } from './support/project-folder.js';
import { SmallProject } from './support/small-project.js';

const source = `import { McpApp, McpService, McpTool } from '@toolwright/core';

const title = ['Count', 'notes'].join(' ');

@McpService()
export class NoteTools {
  /** Count notes. Returns how many. */
  @McpTool({ name: 'count_notes', title, annotations: { readOnlyHint: true } })
  countNotes(): number {
    return 0;
  }

  @McpApp({ uri: 'ui://notes/page' })
  page(): string {
    return '<p>notes</p>';
  }
}
`;

let project: SmallProject;

beforeAll(() => {
  project = new SmallProject({
    'package.json': {
      name: 'notes',
      version: '1.0.0',
      bugs: 'https://notes.example/help',
      homepage: 'https://notes.example',
      toolwright: {
        lint: { listing: { privacyPolicy: 'https://notes.example/privacy', authentication: 'none' } },
      },
    },
    'tsconfig.json': { compilerOptions, include: ['src'] },
    'src/note-tools.ts': source,
  });
});

afterAll(() => project.remove());

const lint = async (...words: string[]) => {
  const { status, stdout } = await runIn(project.folder, 'lint', '--format', 'json', ...words);
  return { status, problems: JSON.parse(stdout) as Record<string, unknown>[] };
};

test('a project that is not built fails, because its hints are unknown', async () => {
  expect(await lint('--for', 'chatgpt')).toMatchObject({
    status: 1,
    problems: [{ rule: 'directory-unchecked', docs: 'docs/lint.md#directory-unchecked' }],
  });
});

test('a built project is judged by the rules of the chosen directories, each with its source', async () => {
  expect(project.compile()).toMatchObject({ status: 0 });
  expect(await lint()).toEqual({ status: 0, problems: [] });
  // The title is no literal, so only the built project has it.
  expect(await lint('--for', 'claude')).toEqual({ status: 0, problems: [] });
  const { status, problems } = await lint('--for', 'claude', '--for', 'chatgpt', '--for', 'registry');
  expect(status).toBe(1);
  expect(problems.map(({ rule, directory }) => `${directory}: ${rule}`)).toEqual([
    'chatgpt: directory-hints',
    'chatgpt: directory-app-csp',
    'chatgpt: directory-app-domain',
    'registry: directory-server-json',
    'registry: directory-server-json',
  ]);
  expect(problems[0]).toMatchObject({
    tool: 'count_notes',
    source: 'https://developers.openai.com/apps-sdk/app-submission-guidelines',
    location: { file: 'src/note-tools.ts' },
  });
  expect(problems[1]).toMatchObject({ location: { file: 'src/note-tools.ts' } });
});

test('rules of directories can be switched off, and lines name their source', async () => {
  const words = ['--for', 'registry', '--for', 'registry'];
  expect(await lint(...words, '--off', 'directory-server-json')).toEqual({ status: 0, problems: [] });
  expect((await runIn(project.folder, 'lint', ...words)).stdout).toMatch(
    /^error: directory-server-json: there is no server\.json .* \(registry: https:\/\/static\.modelcontextprotocol\.io\/\S+\)\n/,
  );
});

test('an unknown directory, and a wrong listing, are wrong usage', async () => {
  expect(await runIn(project.folder, 'lint', '--for', 'nowhere')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('There are claude, chatgpt, registry, claude-desktop, '),
  });
  const configured = JSON.parse(project.read('package.json')) as object;
  const problemOf = async (listing: object) => {
    project.write('package.json', JSON.stringify({ ...configured, toolwright: { lint: { listing } } }));
    const { status, stderr } = await runIn(project.folder, 'lint');
    expect(status).toBe(2);
    return stderr;
  };
  expect(await problemOf({ privacy: 'x' })).toContain('"privacy" is no setting of listing');
  expect(await problemOf({ support: 1 })).toContain('"support" is a text');
  expect(await problemOf({ authentication: 'basic' })).toContain(
    '"authentication" is one of oauth, none, token',
  );
});
