import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { problemsOf } from '../../core/test/support/booting.js';
import { skillFolders, skillText } from './support/skill-folders.js';

const folderWith = skillFolders();

/** The messages of a boot, without the folder. */
async function messagesOf(
  folder: string,
  codes: readonly string[] = ['TW_SKILL_INVALID'],
): Promise<string[]> {
  const problems = await problemsOf({ skills: folder });
  expect([...new Set(problems.map(({ code }) => code))]).toEqual(codes);
  return problems.map(({ message }) => message.replaceAll(folder, '…'));
}

test.each([
  ['no front matter', '# Git\n', 'does not begin with front matter'],
  ['broken YAML', '---\nname: [\n---\n', 'is not YAML'],
  ['a list', '---\n- a\n---\n', 'has no fields'],
  ['no name', '---\ndescription: d\n---\n', 'its "name" must have'],
  ['a name with capitals', skillText('Git'), 'its "name" must have'],
  ['a name with two hyphens', skillText('g--it'), 'its "name" must have'],
  ['another name', skillText('svn'), 'its "name" is "svn", and its folder is "git"'],
  ['no description', '---\nname: git\n---\n', 'its "description" must be'],
  [
    'a long description',
    `---\nname: git\ndescription: ${'x'.repeat(1025)}\n---\n`,
    'its "description" must be',
  ],
  [
    'reserved metadata',
    skillText('git', 'metadata:\n  io.modelcontextprotocol/x: 1\n'),
    'reserved beginning',
  ],
  ['no number', skillText('git', 'metadata:\n  size: .inf\n'), 'that JSON cannot carry'],
  ['a circle', skillText('git', 'metadata: &m\n  a: *m\n'), 'a value that contains itself'],
  ['a circle of lists', skillText('git', 'x:\n  - &l [{ y: [*l] }]\n'), 'a value that contains itself'],
  ['many levels', skillText('git', `x: ${'['.repeat(65)}${']'.repeat(65)}\n`), 'more than 64 levels'],
  ['endless levels', skillText('git', `x: ${'['.repeat(5_000)}\n`), 'is not YAML'],
  [
    'values that double',
    skillText(
      'git',
      `x0: &x0 [a]\n${[...Array(60).keys()].map((at) => `x${at + 1}: &x${at + 1} [*x${at}, *x${at}]\n`).join('')}`,
    ),
    'is not YAML',
  ],
  ['a set', skillText('git', 'metadata: { x: !!set { a, b } }\n'), 'lose something in JSON: Unresolved tag'],
  [
    'an ordered map',
    skillText('git', 'metadata: { x: !!omap [a: 1] }\n'),
    'tag:yaml.org,2002:omap at line 3',
  ],
  ['bytes as text', skillText('git', 'metadata: { x: !!binary aGk= }\n'), 'lose something in JSON'],
  ['a date by tag', skillText('git', 'metadata: { x: !!timestamp 2020-01-01 }\n'), 'lose something in JSON'],
  ['a tag of a program', skillText('git', 'metadata: { x: !!js/function "f" }\n'), 'lose something in JSON'],
  ['a tag of its own', skillText('git', 'metadata: { x: !custom y }\n'), 'lose something in JSON'],
  ['a list as a key', skillText('git', 'metadata:\n  ? [a, b]\n  : 1\n'), 'keys must be strings'],
  ['a long integer', skillText('git', 'metadata: { x: 12345678901234567890 }\n'), 'that JSON cannot carry'],
  ['a key twice', skillText('git', 'metadata: { x: 1, x: 2 }\n'), 'is not YAML'],
  [
    'many keys',
    skillText('git', `metadata:\n${[...Array(60_000).keys()].map((at) => `  k${at}: 1\n`).join('')}`),
    'longer than 32768 characters',
  ],
  ['bytes', Buffer.from([255, 254, 0]), 'is not UTF-8'],
])('A SKILL.md with %s is a problem of the boot', async (_what, content, heard) => {
  const [message, ...others] = await messagesOf(folderWith({ 'git/SKILL.md': content }));
  expect(message).toContain('…/git/SKILL.md');
  expect(message).toContain(heard);
  expect(others).toEqual([]);
});

test('A folder that is missing or has no skill is a problem', async () => {
  expect(await messagesOf(join(folderWith({}), 'away'))).toEqual([
    expect.stringContaining('cannot be read: ENOENT'),
  ]);
  expect(await messagesOf(folderWith({ 'git/skill.md': skillText('git') }))).toEqual([
    'The folder … has no skill.',
  ]);
});

test.each([
  ['a file outside', 'out.txt'],
  ['a folder outside', ''],
])('A link to %s is a problem, and not followed', async (_what, target) => {
  const outside = folderWith({ 'out.txt': 'secret' });
  const folder = folderWith({ 'git/SKILL.md': skillText('git') });
  symlinkSync(join(outside, target), join(folder, 'git/link'));
  expect(await messagesOf(folder)).toEqual(['…/git/link is a link, or no file.']);
});

test('Files that begin with a dot are not served, and are no problem', async () => {
  const folder = folderWith({
    'git/SKILL.md': skillText('git'),
    'git/.env': 'KEY=1',
    '.git/x/SKILL.md': 'no skill',
    'broken/SKILL.md': '',
  });
  expect(await messagesOf(folder)).toHaveLength(1);
});

test('Hidden characters are found in every text, with their line', async () => {
  const folder = folderWith({
    'git/SKILL.md': `${skillText('git')}Line\u200Bbreak\n`,
    'git/scripts/run.sh': 'echo \u202Eevil\n',
    'git/a\u200Bb.md': 'text',
    'git/image.bin': Buffer.from([0, 226, 128, 139]),
  });
  expect(await messagesOf(folder, ['TW_TEXT_HIDDEN'])).toEqual([
    '…/git/SKILL.md has the hidden character U+200B in line 7.',
    expect.stringContaining('has the hidden character U+200B in its name.'),
    '…/git/scripts/run.sh has the hidden character U+202E in line 1.',
  ]);
});

test('A skill that hosts need not accept is a problem', async () => {
  const many = Object.fromEntries(Array.from({ length: 512 }, (_, index) => [`git/${index}.md`, 'x']));
  expect(await messagesOf(folderWith({ 'git/SKILL.md': skillText('git'), ...many }))).toEqual([
    expect.stringContaining('has 513 files'),
  ]);
  const large = { 'git/large.bin': Buffer.alloc(16 * 1024 * 1024) };
  expect(await messagesOf(folderWith({ 'git/SKILL.md': skillText('git'), ...large }))).toEqual([
    expect.stringContaining('Hosts accept 512 files with 16 MiB.'),
  ]);
});

test('A folder that cannot be in a URI is a problem', async () => {
  expect(await messagesOf(folderWith({ 'my skills/git/SKILL.md': skillText('git') }))).toEqual([
    expect.stringContaining('its folder "my skills" has other characters'),
  ]);
});

test.each([
  [{ folder: './x', prefix: '../..' }, 'skills.prefix'],
  [{ folder: './x', prefix: '/a' }, 'skills.prefix'],
  [{ folder: './x', scopes: ['a b'] }, 'skills.scopes'],
  [{ dir: './x' }, 'skills'],
])('The option %j is refused', async (skills, place) => {
  const [problem] = await problemsOf({ skills });
  expect(problem!.message).toContain(place);
});
