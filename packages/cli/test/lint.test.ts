import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ruleIds } from '../src/lint/lint-problem.js';
import { SmallProject } from './support/small-project.js';
import { toolwright, runIn } from './support/recording-terminal.js';

const notes = join(__dirname, 'fixtures/notes');

test('problems name their place, rule and tool, and warnings alone are no failure', async () => {
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
    /^Annotations were not checked\. .*Build the project first\.\n2 tools, 6 problems\.\n$/,
  );
});

test('rules can be switched off, and --strict fails on what remains', async () => {
  const off = '--off returns-missing --off text-unbounded --off parameter-description';
  expect((await toolwright(`lint --strict ${off}`, notes)).code).toBe(1);
  expect(await toolwright(`lint --strict ${off} --off number-unbounded`, notes)).toMatchObject({
    code: 0,
    stdout: '',
  });
  expect((await toolwright('lint --off nonsense', notes)).code).toBe(2);
});

test('a list that exceeds its budget is reported once', async () => {
  const { stdout } = await toolwright('lint --budget 10 --format json', notes);
  const problems = JSON.parse(stdout) as { rule: string }[];
  expect(problems.filter(({ rule }) => rule === 'list-size')).toHaveLength(1);
});

test('for CI systems, the report is that of JUnit: a check for each rule, and what does not fail is a note', async () => {
  const { code, stdout } = await toolwright('lint --budget 10 --off verb-first --format junit', notes);
  expect(code).toBe(0);
  expect(stdout).toMatch(/<testsuite [^>]* failures="0" /);
  expect(stdout).toMatch(/<testcase name="list-size" classname="toolwright lint" time="0"\/>/);
  expect(stdout).toMatch(/<system-out>[^<]*warning: list-size: /);
  expect(stdout).not.toContain('verb-first');
  const strict = await toolwright('lint --budget 10 --strict --format junit', notes);
  expect(strict.code).toBe(1);
  expect(strict.stdout).toMatch(/<failure message="warning: list-size: [^"]*" type="list-size">/);
});

test('GitHub gets workflow commands', async () => {
  const { stdout } = await toolwright('lint --format github', notes);
  expect(stdout).toMatch(
    /^::warning file=src\/note-tools\.ts,line=31,col=3,title=returns-missing::find_notes%3A /,
  );
});

describe('a project', () => {
  const tools = (comment: string) => `import { McpTool } from '@toolwright/core';

export class NoteTools {
${comment}
  @McpTool({ name: 'notes_list' })
  list(): string[] {
    return [];
  }
}
`;
  const make = (comment: string, lint?: object) =>
    (project = new SmallProject({
      'package.json': { name: 'notes', ...(lint && { toolwright: { lint } }) },
      'tsconfig.json': { compilerOptions: { module: 'nodenext', types: [] }, include: ['src'] },
      'src/note-tools.ts': tools(comment),
    }));
  let project: SmallProject;

  afterEach(() => project.remove());

  test('sets the severity of rules, and further verbs', async () => {
    make('  /** Notes of the day. Returns them. */');
    expect(await runIn(project.folder, 'lint')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('verb-first'),
    });
    project.write('package.json', '{ "toolwright": { "lint": { "rules": { "verb-first": "error" } } } }');
    expect(await runIn(project.folder, 'lint')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining(': error: verb-first:'),
    });
    expect(await runIn(project.folder, 'lint', '--off', 'verb-first')).toMatchObject({
      status: 0,
      stdout: '',
    });
    project.write('package.json', '{ "toolwright": { "lint": { "verbs": ["notes"], "budget": 5 } } }');
    expect((await runIn(project.folder, 'lint')).stdout).toMatch(
      /^warning: list-size: .* 5 are allowed; most: notes_list \d+\.\n$/,
    );
    expect(await runIn(project.folder, 'lint', '--budget', '500')).toMatchObject({ status: 0, stdout: '' });
  });

  test.each([
    [{ rules: { nonsense: 'off' } }, 'there is no rule "nonsense"'],
    [{ rules: { 'tool-name': 'fatal' } }, '"tool-name" is one of off, warning, error, not "fatal"'],
    [{ budget: 'much' }, '"budget" is a number'],
    [{ verbs: 'notes' }, '"verbs" is a list'],
    [{ severity: 1 }, '"severity" is no setting'],
    [{ rule: {} }, 'there are rules, budget, verbs and listing. Did you mean "rules"?'],
    [{ rules: { 'tool-nam': 'off' } }, 'Did you mean "tool-name"?'],
    [{ rules: { 'tool-name': 'eror' } }, 'not "eror". Did you mean "error"?'],
  ])('gets an error for a wrong configuration: %j', async (lint, message) => {
    make('  /** Notes. */', lint);
    const { status, stdout, stderr } = await runIn(project.folder, 'lint');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('gets its doc comments fixed, and its code stays as it is', async () => {
    make(
      [
        '  /**',
        '   * Sort\u200b the notes of the day.',
        '   *',
        '   * @deprecated since last year',
        '   * @returns {string[]} The texts,',
        '   *   newest first',
        '   */',
      ].join('\n'),
    );
    const words = ['lint', '--fix', '--format', 'json', '--off', 'verb-first'];
    const { status, stdout, stderr } = await runIn(project.folder, ...words);
    expect({ status, problems: JSON.parse(stdout) }).toEqual({ status: 0, problems: [] });
    expect(stderr).toMatch(/1 tool, 0 problems, 2 fixed\.\n$/);
    expect(project.read('src/note-tools.ts')).toBe(
      tools(
        [
          '  /**',
          '   * Sort the notes of the day.',
          '   * Returns the texts, newest first.',
          '   *',
          '   * @deprecated since last year',
          '   * @returns {string[]} The texts,',
          '   *   newest first',
          '   */',
        ].join('\n'),
      ),
    );
    expect((await runIn(project.folder, 'lint', '--fix')).stderr).toMatch(/, 0 fixed\.\n$/);
  });

  test('keeps everything that only its author can fix', async () => {
    make('  /** Notes of the day. */');
    const before = project.read('src/note-tools.ts');
    const { stdout } = await runIn(project.folder, 'lint', '--fix', '--format', 'json');
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ rule: 'returns-missing', docs: 'docs/lint.md#returns-missing' }),
    );
    expect(project.read('src/note-tools.ts')).toBe(before);
  });
});

test('a project with schema errors gets the advice to build', async () => {
  const { code, stderr } = await toolwright('lint', join(__dirname, 'fixtures/broken'));
  expect(code).toBe(1);
  expect(stderr).toMatch(/schema errors: see toolwright build/);
});

test('docs/lint.md has a section on every rule', () => {
  const page = readFileSync(join(__dirname, '../../../docs/lint.md'), 'utf8');
  expect([...page.matchAll(/^## ([a-z-]+)$/gm)].map(([, id]) => id)).toEqual(ruleIds);
});
