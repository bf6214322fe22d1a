import { execFileSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Step {
  name?: string;
  run?: string;
  with?: Record<string, string>;
}
interface Job {
  permissions: Record<string, string>;
  env: Record<string, string>;
  steps: Step[];
}
const workflow = parse(read('.github/workflows/release.yml')) as {
  permissions: object;
  jobs: { release: Job };
};
const { release } = workflow.jobs;
const step = (name: string) => release.steps.find((each) => each.name === name)!;

test('The release proves where it was built, and may do no more than it needs', () => {
  expect(workflow.permissions).toEqual({});
  expect(release.permissions).toEqual({
    contents: 'write',
    'pull-requests': 'write',
    'id-token': 'write',
  });
  expect(release.env['NPM_CONFIG_PROVENANCE']).toBe('true');
  expect(step('publish').with!['publish']).toBe('.ci/publish');
  expect(read('.ci/publish')).toMatch(/ publish .*--provenance/);
});

test('Nothing is published that was not tested, and its bill of materials is written before', () => {
  const order = release.steps.flatMap(({ name }) => name ?? []);
  expect(order).toEqual(['test', 'sbom', 'publish', 'attach the bills of materials']);
  for (const script of ['.ci/run', '.ci/sbom', '.ci/publish']) accessSync(join(root, script), constants.X_OK);
});

test('The step for the bill of materials works, and lists what each package needs at run time', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sbom-'));
  try {
    const [script, ...args] = step('sbom').run!.split(' ');
    expect(args).toEqual(['sbom']);
    execFileSync(join(root, script!), [folder], { cwd: root, stdio: 'pipe' });
    const published = readdirSync(join(root, 'packages')).map((name) => {
      const { name: id } = JSON.parse(read(`packages/${name}/package.json`)) as { name: string };
      return `${id.replace('@', '').replace('/', '-')}.cdx.json`;
    });
    expect(readdirSync(folder).sort()).toEqual(published.sort());
    const core = JSON.parse(readFileSync(join(folder, 'toolwright-core.cdx.json'), 'utf8'));
    expect(core).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
    const names = (core.components as { group?: string; name: string }[]).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['ajv', 'ajv-formats', 'reflect-metadata']));
    expect(names).not.toContain('jest');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('The policy for reporting a vulnerability is where people look for it', () => {
  expect(read('SECURITY.md')).toMatch(/## Reporting a vulnerability/);
  expect(read('README.md')).toContain('(SECURITY.md)');
  expect(read('docs/security.md')).toContain('(../SECURITY.md)');
});
