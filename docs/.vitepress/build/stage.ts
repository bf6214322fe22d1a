import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { benchmarkPage } from './benchmarks.js';
import { changelogPage } from './changelog.js';
import { errorPages } from './errors.js';
import { writtenPages } from './guides.js';
import { homePage } from './home.js';
import { LinkWriter } from './links.js';
import { linkNames, pagesOfNames } from './name-links.js';
import { writePlainText } from './plain-text.js';
import { mapProse, type Page, summaryOf, titleOf } from './page.js';
import { referencePages } from './reference.js';
import { readingLine, withReadingLine } from './reading.js';
import { choosePages } from './sample.js';
import { pagesFolder, root } from './workspace.js';

/**
 * Puts all pages together, and writes them where the generator reads them.
 *
 * @returns the pages, and the paths of those that the build of a sample leaves out
 */
export async function stagePages(): Promise<{ pages: Page[]; leftOut: ReadonlySet<string> }> {
  const { built: pages, leftOut } = choosePages(await collectPages());
  rmSync(pagesFolder, { recursive: true, force: true });
  const names = pagesOfNames(pages.filter(({ path }) => path.startsWith('reference/')));
  const which = pages.find(({ path }) => path === 'guides.md')!;
  for (const page of pages)
    write(page.path, withFrontmatter(isGuide(page) ? withReadingLine(linkNames(page, names), which) : page));
  for (const asset of ['benchmarks.json', 'benchmarks.svg']) {
    mkdirSync(join(pagesFolder, 'public'), { recursive: true });
    copyFileSync(join(root, 'docs', asset), join(pagesFolder, 'public', asset));
  }
  cpSync(join(root, 'docs/images'), join(pagesFolder, 'public/images'), { recursive: true });
  copyFileSync(
    join(root, 'packages/console/web/public/icon.svg'),
    join(pagesFolder, 'public/images/logo.svg'),
  );
  writePlainText(pages, (path, text) => write(join('public', path), text));
  return { pages, leftOut };
}

/** Decisions name what there was when they were taken. */
const isGuide = ({ origin, path }: Page) => origin !== undefined && !path.startsWith('adr/');

async function collectPages(): Promise<Page[]> {
  const written = writtenPages();
  const withErrors = written.flatMap((page) =>
    page.path === 'errors.md' ? errorPages(page, written) : [page],
  );
  const links = new LinkWriter();
  const linked = [...withErrors, benchmarkPage(), changelogPage()].map((page) => links.rewrite(page));
  return [homePage(), ...linked, ...links.sourcePages(), ...(await referencePages())];
}

function write(path: string, text: string): void {
  const file = join(pagesFolder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The generator shows the tags of a block (`ts file=main.ts`) to nobody, and would take `{{` for its own. */
function withFrontmatter(page: Page): string {
  const { path, frontmatter } = page;
  if (path === 'index.md') return `---\n${JSON.stringify(frontmatter)}\n---\n${page.markdown}`;
  const head = { title: titleOf(page), description: summaryOf(unread(page)), ...frontmatter };
  const body = inBothColours(page.markdown).replace(/^(\s*```+\w+)[ \t].*$/gm, '$1');
  return `---\n${JSON.stringify(head)}\n---\n\n${mapProse(body, (prose) => prose.replaceAll('{{', '&#123;&#123;'))}`;
}

/** A summary is of what people wrote. */
const unread = (page: Page) => ({ ...page, markdown: page.markdown.replace(readingLine, '') });

/** A picture that has a twin in dark colours is followed by it. The style shows one of the two. */
const inBothColours = (markdown: string) =>
  markdown.replace(/!\[([^\]]*)\]\((\/images\/[\w-]+)\.webp\)/g, (picture, alt: string, name: string) =>
    existsSync(join(root, 'docs', `${name}-dark.webp`)) ? `${picture}![${alt}](${name}-dark.webp)` : picture,
  );
