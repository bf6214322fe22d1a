import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>;

test('the command is that of @toolwright/cli', () => {
  const [alias, command] = ['toolwright', 'cli'].map((folder) =>
    spawnSync(process.execPath, [join(root, 'packages', folder, 'bin/toolwright.js'), '--help'], {
      encoding: 'utf8',
    }),
  );
  expect(alias).toMatchObject({ status: 0, stderr: '' });
  expect(alias!.stdout).toBe(command!.stdout);
});

test('it is published together with the command, and brings nothing else', () => {
  const { dependencies, version } = json('packages/toolwright/package.json');
  expect(dependencies).toEqual({ '@toolwright/cli': 'workspace:*' });
  expect(version).toBe(json('packages/cli/package.json')['version']);
  expect(json('.changeset/config.json')['fixed']).toEqual([
    expect.arrayContaining(['toolwright', '@toolwright/*']),
  ]);
});

/** Without `--no`, npx fetches what is not installed. `toolwright run` is made for folders without a project. */
const fetching = /npx (?:-y |--yes )?toolwright(?! run\b)/;

test('no document, template or message runs a command that is not installed', () => {
  const files = execFileSync('git', ['ls-files', 'README.md', 'docs', 'packages', 'apps'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(
      (file) =>
        /\.(md|ts|json|ya?ml|mjs|vue|tsx)$/.test(file) && !/docs\/adr\/|CHANGELOG|alias\.test/.test(file),
    );
  expect(files.length).toBeGreaterThan(500);
  const lines = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => fetching.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(lines).toEqual([]);
});
