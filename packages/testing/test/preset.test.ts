import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../../..');
let project: string;

/** A project of its own, where the packages are installed as links to the built ones. */
beforeAll(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-jest-')));
  cpSync(join(__dirname, 'fixtures/jest-project'), project, { recursive: true });
  const installed = {
    '@toolwright/core': join(root, 'packages/core'),
    '@toolwright/testing': join(root, 'packages/testing'),
    '@swc/jest': join(root, 'node_modules/@swc/jest'),
  };
  for (const [name, target] of Object.entries(installed)) {
    const link = join(project, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link, 'dir');
  }
});

afterAll(() => rmSync(project, { recursive: true }));

test('a project with the preset tests decorated classes without a build', () => {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const { status, stderr } = spawnSync(process.execPath, [jest, '--ci'], { cwd: project, encoding: 'utf8' });
  expect(stderr).toMatch(/✓ a class of the test file is served without a build/);
  expect(status).toBe(0);
}, 60_000);
