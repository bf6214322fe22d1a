import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { dirname, join, normalize } from 'node:path';

const root = join(__dirname, '../..');

const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((page) => page !== '' && !page.startsWith('.changeset/') && existsSync(join(root, page)));

const proseOf = (markdown: string) => markdown.replace(/^\s*```[\s\S]*?^\s*```\s*$/gm, '');

/** The anchor that GitHub gives to a heading. */
const anchorOf = (heading: string) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .trim()
    .replaceAll(' ', '-');

function anchorsOf(markdown: string): string[] {
  return [...proseOf(markdown).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!));
}

/** The links of a page that lead to no file, or to no heading of a page. */
function brokenLinks(page: string, markdown: string): string[] {
  const links = [...proseOf(markdown).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path, anchor] = link.split('#') as [string, string?];
    const target = path === '' ? page : normalize(join(dirname(page), path));
    if (target !== page && !existsSync(join(root, target))) return true;
    if (anchor === undefined || !target.endsWith('.md')) return false;
    const text = target === page ? markdown : readFileSync(join(root, target), 'utf8');
    return !anchorsOf(text).includes(anchor);
  });
}

test('every link between files of the repository leads to a file, and to a heading of it', () => {
  const broken = pages.flatMap((page) =>
    brokenLinks(page, readFileSync(join(root, page), 'utf8')).map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('changes link to no file: they become parts of pages in other folders', () => {
  const folder = join(root, '.changeset');
  const changes = readdirSync(folder).filter((file) => file.endsWith('.md'));
  const linking = changes.filter((file) =>
    /\]\((?![a-z]+:|#)/.test(proseOf(readFileSync(join(folder, file), 'utf8'))),
  );
  expect(changes.length).toBeGreaterThan(0);
  expect(linking).toEqual([]);
});

test('a link to a file or a heading that does not exist is found', () => {
  const page = ['# A title', '[file](no-such.md)', '[heading](#no-such)', '[title](#a-title)'].join('\n');
  expect(brokenLinks('docs/page.md', page)).toEqual(['no-such.md', '#no-such']);
});

test('links in code blocks and links to other sites are left alone', () => {
  const page = ['```', '[file](no-such.md)', '```', '[site](https://example.com/#no-such)'].join('\n');
  expect(brokenLinks('docs/page.md', page)).toEqual([]);
});
