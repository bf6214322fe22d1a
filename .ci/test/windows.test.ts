import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What would fail on Windows, as far as texts show it. The job `windows` of check.yml runs what they do not show. */
const root = join(__dirname, '../..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
})
  .split('\n')
  .filter(Boolean);
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The sources that run at people who use the packages. */
const sources = files.filter((file) => /^packages\/[^/]+\/(src|bin)\/.*(?<!\.test)\.[jt]s$/.test(file));

const linesWith = (pattern: RegExp, among = sources) =>
  among.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );

test('every file has a name that Windows can write, and no other file has it in other letters', () => {
  const odd = files.filter((file) => /[<>:"|?*\\]|[. ](\/|$)/.test(file) || file.length > 180);
  const devices = files.filter((file) => /(^|\/)(con|prn|aux|nul|com\d|lpt\d)(\.|\/|$)/i.test(file));
  expect([...odd, ...devices]).toEqual([]);
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(files.length);
});

test('no source starts a batch file without a shell: those are what npm and npx are on Windows', () => {
  const starts = /\b(?:spawn|spawnSync|execFile|execFileSync)\(\s*['"`](?:npm|npx|pnpm|yarn|tsc|vite)['"`]/;
  expect(linesWith(starts)).toEqual([]);
});

test('what a person names is started with cross-spawn, which finds batch files', () => {
  const own = /\bspawn(Sync)?\b[^;]*(?:from |getBuiltinModule\()'node:child_process'/;
  const users = sources.filter((file) => own.test(read(file)));
  // Each of these starts Node.js itself, an absolute path, or npm through a shell.
  expect(users.sort()).toEqual([
    'packages/cli/src/app/ask-child.ts',
    'packages/cli/src/dev/app/app-process.ts',
    'packages/cli/src/publish/bundle/stage-bundle.ts',
    'packages/create-toolwright/src/set-up-app.ts',
    'packages/json/src/processes/end-group.ts',
    'packages/safe/src/command/kill-tree.ts',
    'packages/safe/src/command/run-command.ts',
    'packages/views/src/build/check-types.ts',
  ]);
});

test('a module is imported by a URL, because C:\\app is no module specifier', () => {
  // `import(name)` of a variable; literal specifiers and URLs are fine.
  const dynamic = linesWith(/\bimport\((?!\s*['"`]|pathToFileURL\()/);
  expect(dynamic.filter((line) => !/:\s*(\*|\/\/|\/\*)/.test(line))).toEqual([]);
});

test('scripts that a build, a start or a new app runs set no variables as a shell of Unix does', () => {
  const manifests = files.filter((file) =>
    /^(?:packages|apps)\/(?:[^/]+\/){1,3}package\.json$|^package\.json$/.test(file),
  );
  const needed = ['start', 'build', 'compile', 'manifest', 'page', 'jest', 'dev'];
  const scripts = manifests.flatMap((file) => {
    const { scripts: all = {} } = JSON.parse(read(file)) as { scripts?: Record<string, string> };
    return needed.flatMap((name) => (all[name] === undefined ? [] : [`${file}: ${name}: ${all[name]}`]));
  });
  expect(scripts.length).toBeGreaterThan(20);
  expect(scripts.filter((line) => /: [A-Z_]+=|'|\brm |\bcp |\$\(|;/.test(line))).toEqual([]);
});

test('sources have one kind of line ends wherever they are checked out', () => {
  expect(read('.gitattributes')).toContain('* text=auto eol=lf');
  const folders = readdirSync(join(root, 'packages/create-toolwright/templates'), {
    recursive: true,
    withFileTypes: true,
  });
  const texts = folders
    .filter((each) => each.isFile())
    .map((each) => readFileSync(join(each.parentPath, each.name), 'utf8'));
  expect(texts.filter((text) => text.includes('\r'))).toEqual([]);
});
