import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolwright } from './support/recording-terminal.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-completion-'));

beforeAll(async () => {
  for (const shell of shells) {
    const { code, stdout } = await toolwright(`completion ${shell}`);
    expect(code).toBe(0);
    writeFileSync(join(folder, `toolwright.${shell}`), stdout);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** How to ask each shell what it would offer after these words. The last word is incomplete. */
const asks: Record<Shell, (words: readonly string[]) => string> = {
  bash: (words) => `
    source toolwright.bash
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
    _toolwright
    for word in "\${COMPREPLY[@]}"; do echo "$word"; done`,
  // Replaces the function with which zsh draws menus by one that prints them.
  zsh: (words) => `
    compdef() { }
    compadd() { print -l -- "$@" }
    _files() { print FILES }
    _describe() { for each in "\${(@P)2}"; do [[ "$each" == "$words[CURRENT]"* ]] && print -r -- "\${each%%:*}"; done }
    source toolwright.zsh
    words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}
    _toolwright`,
  fish: (words) => `source toolwright.fish; complete -C "${words.join(' ')}" | string replace -r '\\t.*' ''`,
};

const isThere = (shell: Shell) => spawnSync(shell, ['--version']).status === 0;
const absent = shells.filter((shell) => !isThere(shell));
if (absent.length > 0 && process.env['REQUIRE_ALL'])
  throw new Error(`There is no ${absent.join(', ')} to complete commands in.`);

for (const shell of absent)
  test(`completion in ${shell}: not tried, it is not installed here (Debian: apt-get install ${shell})`, () =>
    expect(isThere(shell)).toBe(false));

describe.each(shells.filter(isThere))('%s offers', (shell) => {
  const offered = (...words: string[]) => {
    const { stdout, stderr } = spawnSync(shell, ['-c', asks[shell](['toolwright', ...words])], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return stdout.split('\n').filter(Boolean).sort();
  };

  test('commands', () => {
    expect(offered('c')).toEqual(expect.arrayContaining(['call', 'client', 'completion']));
    expect(offered('c')).not.toContain('build');
    expect(offered('new', 't')).toEqual(['tool']);
    expect(offered('audit', '')).toEqual(expect.arrayContaining(['export', 'query', 'tail', 'verify']));
    expect(offered('audit', 'query', '--')).toEqual(expect.arrayContaining(['--since', '--name']));
  });

  test('options of this command only', () => {
    const options = offered('lint', '--');
    expect(options).toEqual(expect.arrayContaining(['--budget', '--format', '--project', '--strict']));
    expect(options).not.toContain('--watch');
  });

  test('the values of an option', () => {
    expect(offered('lint', '--strict', '--format', '')).toEqual(['github', 'json', 'text']);
  });
});

test('an unknown shell exits with 2', async () => {
  expect(await toolwright('completion tcsh')).toMatchObject({ code: 2, stdout: '' });
});
