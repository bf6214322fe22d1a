import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The links of a built site that lead to no file of it, or to no element of a page, and the pictures that name no file.
 * The generator itself checks pages only, and only links in Markdown.
 *
 * @param leftOut paths of pages that were not built, such as `adr/index.md`: links may lead there
 * @returns one line per link: `schemas.html: /decorators#no-such`
 */
export function brokenLinks(
  folder: string,
  base: string,
  leftOut: ReadonlySet<string> = new Set(),
): string[] {
  const site = new BuiltSite(folder, base, leftOut);
  return site.pages.flatMap((page) => {
    const broken = site.linksOf(page).filter((link) => !site.has(link));
    return [...broken, ...site.emptyPicturesOf(page)].map((each) => `${page}: ${each}`);
  });
}

class BuiltSite {
  readonly pages: string[];
  readonly #idsOf = new Map<string, Set<string>>();

  constructor(
    private readonly folder: string,
    private readonly base: string,
    private readonly leftOut: ReadonlySet<string>,
  ) {
    this.pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.html'),
    );
  }

  /** Links and sources within the site, each once. */
  linksOf(page: string): string[] {
    const html = readFileSync(join(this.folder, page), 'utf8');
    const links = [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link]) =>
      link!.replaceAll('&amp;', '&'),
    );
    const inside = links.map((link) => (link.startsWith('#') ? `${this.base}${page}${link}` : link));
    return [...new Set(inside)].filter((link) => !/^[a-z]+:/.test(link));
  }

  /** The generator writes a picture without `src` if it takes the address for a page. */
  emptyPicturesOf(page: string): string[] {
    const html = readFileSync(join(this.folder, page), 'utf8');
    return [...html.matchAll(/<img\b[^>]*>/g)].map(([tag]) => tag).filter((tag) => !/ src="[^"]/.test(tag));
  }

  has(link: string): boolean {
    if (!link.startsWith(this.base)) return false;
    const [path, anchor] = link.slice(this.base.length).split('#') as [string, string?];
    const name = this.#fileOf(decodeURIComponent(path));
    if (this.leftOut.has(name.replace(/\.html$/, '.md'))) return true;
    if (!existsSync(join(this.folder, name))) return false;
    return anchor === undefined || anchor === '' || this.#ids(name).has(decodeURIComponent(anchor));
  }

  #fileOf(path: string): string {
    if (path === '' || path.endsWith('/')) return `${path}index.html`;
    return existsSync(join(this.folder, path)) && statSync(join(this.folder, path)).isFile()
      ? path
      : `${path}.html`;
  }

  #ids(page: string): Set<string> {
    const known = this.#idsOf.get(page);
    if (known !== undefined) return known;
    const html = readFileSync(join(this.folder, page), 'utf8');
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!));
    this.#idsOf.set(page, ids);
    return ids;
  }
}
