import { compilerOptions } from './support/project-folder.js';
import { SmallProject } from './support/small-project.js';

const source = `import { McpService, McpTool } from '@toolwright/core';
import { z } from 'zod';

process.stderr.write('loaded\\n');

const noteInput = z.object({
  title: z.string().min(2).max(50).describe('what it is called'),
  copies: z.int().min(1).max(100).default(1).describe('how many'),
});

@McpService()
export class NoteTools {
  /** Print a note. Returns its title. */
  @McpTool({ name: 'print_note', annotations: { readOnlyHint: true }, inputSchema: noteInput })
  print({ title }: z.infer<typeof noteInput>): string {
    return title;
  }
}
`;

let project: SmallProject;

beforeAll(() => {
  project = new SmallProject({
    'package.json': { name: 'notes' },
    'tsconfig.json': { compilerOptions, include: ['src'] },
    'src/note-tools.ts': source,
  });
  project.install({ zod: 'packages/core/node_modules/zod' });
});

afterAll(() => project.remove());

test('a build and inspect load nothing, and say what only the running schema decides', () => {
  const build = project.toolwright('build');
  expect(build).toMatchObject({ status: 0, stderr: expect.not.stringContaining('loaded') });
  const manifest = JSON.parse(project.read('mcp.manifest.json')) as { entries: object[] };
  expect(manifest.entries).toMatchObject([{ standard: [''] }]);
  expect(project.toolwright('inspect').stdout).toContain('completed by a schema when the server starts');
  expect(JSON.parse(project.toolwright('inspect', '--json').stdout)).toMatchObject([
    { standard: [''], input: { properties: { copies: { type: 'number' } } } },
  ]);
});

test('before the project is compiled, lint and explain do not guess', () => {
  expect(project.toolwright('lint').stdout).not.toMatch(/number-unbounded|parameter-description/);
  expect(project.toolwright('explain', 'print_note').stdout).toContain('Build the project to see it');
});

test('afterwards, lint, explain, lock and diff see what clients see', () => {
  expect(project.compile()).toMatchObject({ status: 0 });
  expect(project.toolwright('lint').stdout).toBe('');
  const explained = JSON.parse(project.toolwright('explain', 'print_note', '--json').stdout) as object;
  expect(explained).toMatchObject({
    input: { properties: { copies: { type: 'integer', maximum: 100, default: 1 } } },
    completed: expect.stringContaining('decides about the arguments'),
  });
  expect(project.toolwright('lock')).toMatchObject({ status: 0 });
  expect(project.toolwright('diff')).toMatchObject({ status: 0, stdout: 'No changes.\n' });
  project.edit('src/note-tools.ts', 'max(100)', 'max(20)');
  expect(project.compile()).toMatchObject({ status: 0 });
  const { status, stdout } = project.toolwright('diff');
  expect(status).toBe(1);
  expect(stdout).toMatch(/breaking +print_note\/input\/properties\/copies +maximum was 100, is 20/);
});
