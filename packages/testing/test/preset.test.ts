import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { ProjectFolder, repository } from '../../cli/test/support/project-folder.js';

const runner = join(repository, 'node_modules/jest/bin/jest.js');
let project: ProjectFolder;

/** A separate project. The packages are installed as links to the built ones. */
beforeAll(() => {
  project = new ProjectFolder();
  cpSync(join(__dirname, 'fixtures/jest-project'), project.folder, { recursive: true });
  project.install({
    '@toolwright/core': 'packages/core',
    '@toolwright/testing': 'packages/testing',
    '@swc/jest': 'node_modules/@swc/jest',
  });
});

afterAll(() => project.remove());

test('a project with the preset tests decorated classes without a build', () => {
  const { status, stderr } = project.node(runner, '--ci');
  expect(stderr).toMatch(/✓ a class of the test file is served without a build/);
  expect(status).toBe(0);
});

test("a project whose tests import Jest's functions needs no globals", () => {
  const text = project.read('counter.test.ts');
  project.write('imported.test.ts', `import { expect, test } from '@jest/globals';\n${text}`);
  const { status, stderr } = project.node(runner, '--ci', '--injectGlobals=false', 'imported');
  expect(stderr).toMatch(/✓ a class of the test file is served without a build/);
  expect(status).toBe(0);
});
