import { dirname, relative } from 'node:path';
import { parseManifest } from '@toolwright/manifest';
import { CheckedProject } from '../src/dev/compile/checked-project.js';
import { loadTypeScript } from '../src/dev/compile/load-typescript.js';
import { repository } from './support/project-folder.js';
import { SmallProject } from './support/small-project.js';
import { toolwright } from './support/recording-terminal.js';

/**
 * Uses things that a compiler must resolve correctly: a package with `exports`, a library of ES2015, a type
 * of an import.
 */
const TOOLS = `import { McpService, McpTool, type integer } from '@toolwright/core';
import { Kind } from './kind.js';

@McpService()
export class NoteTools {
  /**
   * Finds notes.
   * @param limit how many
   */
  @McpTool()
  find(words: string[], kind: Kind, limit: integer = 20, since?: Date): Map<string, number> {
    return new Map([[\`\${words.at(-1)} \${kind} \${since?.toISOString()}\`, limit]]);
  }
}
`;

const decorators = {
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  skipLibCheck: true,
  types: ['node'],
};

/**
 * The compiler options for each version: all of them for 5.9, and for later versions only those that are not
 * defaults.
 */
const versions: [name: string, version: string, compilerOptions: object][] = [
  ['typescript', '5.9', { ...decorators, strict: true, target: 'ES2022', module: 'nodenext' }],
  ['typescript-6', '6.0', decorators],
  ['typescript-7', '7.0', decorators],
  ['typescript-6', '6.0', { ...decorators, target: 'es2025', module: 'commonjs', lib: ['es2025'] }],
  ['typescript-7', '7.0', { ...decorators, target: 'es2025', module: 'nodenext', lib: ['es2025'] }],
];

const installed: Record<string, string> = {
  typescript: require.resolve('typescript/package.json'),
  'typescript-6': require.resolve('typescript-6/package.json'),
  'typescript-7': require.resolve('typescript-7/package.json'),
};

describe.each(versions)('a project on %s (%s) with %j', (name, version, compilerOptions) => {
  let project: SmallProject;

  beforeAll(() => {
    project = new SmallProject({
      'package.json': { name: 'notes', type: 'module' },
      'tsconfig.json': {
        compilerOptions: { ...compilerOptions, rootDir: 'src', outDir: 'dist' },
        include: ['src'],
      },
      'src/note-tools.ts': TOOLS,
      'src/kind.ts': `export enum Kind { Note = 'note', Task = 'task' }\n`,
    });
    project.link('node_modules/typescript', relative(repository, dirname(installed[name]!)));
  });

  afterAll(() => project.leave());

  test('compiles with its own compiler', () => {
    const { status, stdout } = project.node(project.path('node_modules/typescript/bin/tsc'), '-p', '.');
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  test('has the same schemas, and the output says which TypeScript reads them', async () => {
    const { code, stderr } = await toolwright('build', project.folder);
    expect({ code, stderr: stderr.trim().replace(/\.\d+\.$/, '') }).toEqual({
      code: 0,
      stderr:
        version === '5.9'
          ? ''
          : `note: TypeScript 5.9.3 read the signatures; the project compiles with its own ${version}`,
    });
    const { schemas, entries } = parseManifest(project.read('mcp.manifest.json'), 'mcp.manifest.json');
    expect(schemas[entries[0]!.input]).toMatchObject({
      properties: {
        words: { type: 'array', items: { type: 'string' } },
        kind: { enum: ['note', 'task'] },
        limit: { type: 'integer', default: 20, description: 'how many' },
        since: { type: 'string', format: 'date-time' },
      },
      required: ['kind', 'words'],
    });
    expect(schemas[entries[0]!.output!]).toMatchObject({ additionalProperties: { type: 'number' } });
  });

  test('is checked by dev without errors about its options', () => {
    const file = project.path('tsconfig.json');
    const checked = new CheckedProject(loadTypeScript(file), file, project.path('src/note-tools.ts'));
    const { problems, outputs } = checked.check();
    expect(problems).toEqual([]);
    expect(outputs.map(([path]) => path)).toContain(project.path('dist/note-tools.js'));
  });
});
