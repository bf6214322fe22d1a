import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ruleIds } from '../src/lint/finding.js';
import { toolwright } from './support/recording-terminal.js';

const notes = join(__dirname, 'fixtures/notes');

test('findings name their place, rule and tool, and warnings alone do not fail', async () => {
  const { code, stdout, stderr } = await toolwright('lint', notes);
  expect({ code, lines: stdout.trim().split('\n') }).toEqual({
    code: 0,
    lines: [
      expect.stringMatching(/^src\/note-tools\.ts:31:3: warning: returns-missing: find_notes: its /),
      expect.stringMatching(/ text-unbounded: find_notes: query has no @maxLength/),
      expect.stringMatching(/ parameter-description: find_notes: limit has no description\.$/),
      expect.stringMatching(/ number-unbounded: find_notes: limit has no /),
      expect.stringMatching(/ returns-missing: create_note: /),
      expect.stringMatching(/ parameter-description: create_note: tags has no description\.$/),
    ],
  });
  expect(stderr).toMatch(
    /^Annotations were not looked at\. .*build the project first\.\n2 tools, 6 findings\.\n$/,
  );
});

test('rules are left out, and --strict fails for what remains', async () => {
  const off = '--off returns-missing --off text-unbounded --off parameter-description';
  expect((await toolwright(`lint --strict ${off}`, notes)).code).toBe(1);
  expect(await toolwright(`lint --strict ${off} --off number-unbounded`, notes)).toMatchObject({
    code: 0,
    stdout: '',
  });
  expect((await toolwright('lint --off nonsense', notes)).code).toBe(2);
});

test('a list that is longer than its budget is told once', async () => {
  const { stdout } = await toolwright('lint --budget 10 --format json', notes);
  const findings = JSON.parse(stdout) as { rule: string }[];
  expect(findings.filter(({ rule }) => rule === 'list-size')).toHaveLength(1);
});

test('GitHub gets workflow commands', async () => {
  const { stdout } = await toolwright('lint --format github', notes);
  expect(stdout).toMatch(
    /^::warning file=src\/note-tools\.ts,line=31,col=3,title=returns-missing::find_notes%3A /,
  );
});

test('a project with schema errors is sent to the build', async () => {
  const { code, stderr } = await toolwright('lint', join(__dirname, 'fixtures/broken'));
  expect(code).toBe(1);
  expect(stderr).toMatch(/schema errors: see toolwright build/);
});

test('docs/lint.md has a section on every rule', () => {
  const page = readFileSync(join(__dirname, '../../../docs/lint.md'), 'utf8');
  expect([...page.matchAll(/^## (.+)$/gm)].map(([, id]) => id)).toEqual(ruleIds);
});
