import { posix } from 'node:path';
import { mapProse, type Page } from './page.js';

/**
 * The page of each exported name. Where a package has several, it is the one of its main way in. Names that are deprecated
 * have none, and neither have those that packages export as different things.
 */
export function pagesOfNames(reference: Page[]): Map<string, string> {
  const pages = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const { path, markdown } of reference) {
    const name = posix.basename(path, '.md');
    if (name === 'index' || isDeprecated(markdown)) continue;
    const known = pages.get(name);
    if (known !== undefined && packageOf(known) !== packageOf(path)) ambiguous.add(name);
    if (known === undefined || path.length < known.length) pages.set(name, path);
  }
  for (const name of ambiguous) pages.delete(name);
  return pages;
}

const packageOf = (path: string) => path.split('/')[1];
const isDeprecated = (markdown: string) => markdown.startsWith('# ~~');

/**
 * Links names in backticks to their pages of the reference, so that nobody writes such links by hand. A name is linked if
 * it looks like one of ours: `@McpTool`, `createMcpServer`, `text()`. Words such as `text` are left alone, and so are
 * headings, links, and names that the page declares itself.
 */
export function linkNames(page: Page, pages: Map<string, string>): Page {
  const own = new Set(
    [...page.markdown.matchAll(/\b(?:class|interface|type|function|const) (\w+)/g)].map(([, name]) => name!),
  );
  const link = (code: string): string => {
    const [, at, name, call] = /^`(@?)(\w+)(\([^`]*\))?`$/.exec(code) ?? [];
    if (name === undefined || own.has(name)) return code;
    const isOurs = at !== '' || call !== undefined || /[a-z\d][A-Z]/.test(name);
    const target = isOurs ? pages.get(name) : undefined;
    return target === undefined ? code : `[${code}](/${target})`;
  };
  // Headings and links first: what stands in them is left as it is.
  const parts = /^#.*$|!?\[(?:[^\]`]|`[^`]*`)*\]\([^)]*\)|`[^`\n]+`/gm;
  return {
    ...page,
    markdown: mapProse(page.markdown, (prose) =>
      prose.replace(parts, (part) => (part.startsWith('`') ? link(part) : part)),
    ),
  };
}
