import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { programs } from './support/project-folder.js';
import { toolwright } from './support/recording-terminal.js';

const folder = temporaryFolder();

beforeAll(async () => {
  for (const shell of shells) {
    const { code, stdout } = await toolwright(`completion ${shell === 'pwsh' ? 'powershell' : shell}`);
    expect(code).toBe(0);
    writeFileSync(join(folder, `toolwright.${shell}`), stdout);
  }
  // The names of tools come from the command.
  const line = `#!/bin/sh\nexec "${process.execPath}" "${programs.toolwright}" "$@"\n`;
  writeFileSync(join(folder, 'toolwright'), line, { mode: 0o755 });
  await toolwright(`build --out ${join(folder, 'mcp.manifest.json')}`, join(__dirname, 'fixtures/notes'));
});

const shells = ['bash', 'zsh', 'fish', 'pwsh'] as const;
type Shell = (typeof shells)[number];

/** As bash does it: at each "=" and ":". */
const splitAtBreaks = (words: readonly string[]) =>
  words
    .flatMap((word) => (word === '' ? [''] : word.split(/(?<=[=:])|(?=[=:])/)))
    .map((word) => `'${word}'`)
    .join(' ');

/** How to ask each shell what it would offer after these words. The last word is incomplete. */
const asks: Record<Shell, (words: readonly string[]) => string> = {
  bash: (words) => `
    source toolwright.bash
    COMP_LINE='${words.join(' ')}'; COMP_POINT=\${#COMP_LINE}
    COMP_WORDS=(${splitAtBreaks(words)}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    _toolwright
    for word in "\${COMPREPLY[@]}"; do echo "$word"; done`,
  // Replaces the function with which zsh draws menus by one that prints them.
  zsh: (words) => `
    compdef() { }
    compadd() { [[ "$1" == -- ]] && shift; for each in "$@"; do [[ "$each" == "$PREFIX"* ]] && print -r -- "$each"; done }
    compset() { PREFIX="\${PREFIX#*=}" }
    _files() { print FILES }
    _describe() { for each in "\${(@P)2}"; do [[ "$each" == "$words[CURRENT]"* ]] && print -r -- "\${each%%:*}"; done }
    source toolwright.zsh
    words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}
    PREFIX="$words[CURRENT]"
    _toolwright`,
  fish: (words) => `source toolwright.fish; complete -C "${words.join(' ')}" | string replace -r '\\t.*' ''`,
  pwsh: (words) => `
    . ./toolwright.pwsh
    $line = '${words.join(' ')}'
    (TabExpansion2 -inputScript $line -cursorColumn $line.Length).CompletionMatches | ForEach-Object { $_.CompletionText }`,
};

const isThere = (shell: Shell) => spawnSync(shell, ['--version']).status === 0;
const install = (shell: Shell) =>
  shell === 'pwsh' ? 'https://aka.ms/powershell' : `Debian: apt-get install ${shell}`;
const absent = shells.filter((shell) => !isThere(shell));
// PowerShell is in no archive of Debian.
const missing = absent.filter((shell) => shell !== 'pwsh');
if (missing.length > 0 && process.env['REQUIRE_ALL'])
  throw new Error(`There is no ${missing.join(', ')} to complete commands in.`);

for (const shell of absent)
  test(`completion in ${shell}: not tried, it is not installed here (${install(shell)})`, () =>
    expect(isThere(shell)).toBe(false));

describe.each(shells.filter(isThere))('%s offers', (shell) => {
  const offered = (...words: string[]) => {
    const { stdout, stderr } = spawnSync(shell, ['-c', asks[shell](['toolwright', ...words])], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
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

  test('the values of an argument', () => {
    expect(offered('completion', '')).toEqual(['bash', 'fish', 'powershell', 'zsh']);
    expect(offered('completion', 'p')).toEqual(['powershell']);
  });

  test('the values of an option', () => {
    expect(offered('lint', '--for', 'c')).toEqual(expect.arrayContaining(['chatgpt', 'claude']));
    expect(offered('lint', '--strict', '--format', '')).toEqual(['github', 'json', 'junit', 'text']);
    const attached = offered('lint', '--strict', '--format=g');
    expect(attached.map((each) => each.replace('--format=', ''))).toEqual(['github']);
  });

  test('the tools of the project, and none for a server that would have to be started', () => {
    expect(offered('call', '')).toEqual(['create_note', 'find_notes']);
    expect(offered('explain', 'f')).toEqual(['find_notes']);
    expect(offered('call', '--app', 'http.js', 'f')).not.toContain('find_notes');
    expect(offered('call', '--url', 'http://127.0.0.1:9/mcp', 'f')).not.toContain('find_notes');
  });
});

test('an unknown shell exits with 2', async () => {
  expect(await toolwright('completion tcsh')).toMatchObject({ code: 2, stdout: '' });
});
