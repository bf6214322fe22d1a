import { loadTypeScript } from '../../src/dev/compile/load-typescript.js';
import { ProjectFolder } from '../support/project-folder.js';

let project: ProjectFolder;

beforeEach(() => (project = new ProjectFolder()));
afterEach(() => project.remove());

const load = () => loadTypeScript(project.path('tsconfig.json'));

function install(source: string): void {
  project.write('node_modules/typescript/package.json', '{ "name": "typescript", "main": "index.js" }');
  project.write('node_modules/typescript/index.js', source);
}

test('dev checks types with the TypeScript of the project, and says so', () => {
  install(
    "module.exports = { version: '5.4.9', createEmitAndSemanticDiagnosticsBuilderProgram() {}, isMine: true };",
  );
  const { compiler, choice } = load();
  expect(compiler).toMatchObject({ isMine: true });
  expect(choice).toBe("Types are checked by the project's TypeScript 5.4.9, signatures read by 5.9.3.");
});

test('dev says why it uses another TypeScript: that of the project has no programming interface', () => {
  install("module.exports = { version: '7.0.0' };");
  const { compiler, choice } = load();
  expect(compiler.version).not.toBe('7.0.0');
  expect(choice).toBe(
    `Types are checked by Toolwright's TypeScript ${compiler.version}: the project's TypeScript 7.0.0 has no interface for programs.`,
  );
});

test('dev says why it uses another TypeScript: the project has none', () => {
  const { compiler, choice } = load();
  expect(choice).toBe(
    `Types are checked by Toolwright's TypeScript ${compiler.version}: the project has none installed.`,
  );
});
