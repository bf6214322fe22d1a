import { compilerOptions } from '../support/project-folder.js';
import { SmallProject } from '../support/small-project.js';

const service = `
@McpService()
export class NoteTools {
  /** Add a note. */
  @McpTool()
  add(note: AddNote): string { return note.text; }
}
`;
const dto = `
import { MinLength } from 'class-validator';
export class AddNote {
  @MinLength(2) text!: string;
}
`;
const imports = `import { createMcpServer, McpService, McpTool } from '@toolwright/core';`;
const serve = (rest = 'services: [NoteTools]') =>
  `const server = await createMcpServer({ name: 'notes', version: '1', ${rest} });
   console.log(server.tools.list().map(({ name }) => name).join());
   await server.close(0);`;

const withDto = `${imports}\nimport { AddNote } from './add-note.js';${service}`;

const project = new SmallProject({
  'package.json': { name: 'notes', type: 'module' },
  'tsconfig.json': { compilerOptions, include: ['src'] },
  'src/declares/main.ts': `${imports}${dto}${service}${serve()}`,
  'src/imported/main.ts': `${imports}\nimport type { AddNote } from './add-note.js';\nexport const limit = 2;${service}${serve()}`,
  'src/imported/add-note.ts': `${dto}\nimport { limit } from './main.js';\nexport const most = () => limit;`,
  'src/discovers/main.ts': `${withDto}${serve(`discover: 'dist/discovers'`)}`,
  'src/discovers/add-note.ts': dto,
  'src/apart/main.ts': `${withDto}${serve()}`,
  'src/apart/add-note.ts': dto,
});
beforeAll(() => {
  project.install({ 'class-validator': 'packages/core/node_modules/class-validator' });
  project.build();
});
afterAll(() => project.remove());

test.each([
  ['declares a DTO', 'declares', 'main.js'],
  ['is imported by a module with a DTO', 'imported', 'add-note.js'],
  ['discovers the folder that it lies in', 'discovers', 'main.js'],
])(
  'a module that awaits its server and %s gets an error, and does not end silently',
  (_case, folder, file) => {
    const { status, stderr } = project.node(`dist/${folder}/main.js`);
    expect(status).toBe(1);
    expect(stderr).toContain(
      `TW_MODULE_DEADLOCK: The server needs a class of ${project.path('dist', folder, file)}`,
    );
    expect(stderr).toContain('Move the class into another module');
  },
);

test('with the DTO in another module, a server may be awaited at the top level', () => {
  const { status, stdout } = project.node('dist/apart/main.js');
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'add\n' });
});
