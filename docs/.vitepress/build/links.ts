import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { sitePathOf } from './guides.js';
import { mapProse, type Page } from './page.js';
import { root } from './workspace.js';

/** Files that the site serves as they are, under their own names: figures and pictures. */
const isAsset = (file: string) =>
  /^docs\/(benchmarks\.(json|svg)|images\/[\w-]+\.(png|svg|gif|webp))$/.test(file);

/**
 * Turns links between files of the repository into links between pages of the site. A linked file that is no page, such
 * as a test, becomes a page that shows it.
 */
export class LinkWriter {
  /** The files that some page links to. */
  readonly #shown = new Set<string>();

  /** The page with its links as the site needs them. */
  rewrite(page: Page): Page {
    const { origin, markdown } = page;
    if (origin === undefined) return page;
    const rewritten = mapProse(markdown, (prose) =>
      prose.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (link, mark: string, text: string, target: string) => {
        if (/^([a-z]+:|#|\/)/.test(target)) return link;
        const place = this.#placeOf(origin, target);
        return place === undefined ? text : `${mark}[${text}](${place})`;
      }),
    );
    return { ...page, markdown: rewritten };
  }

  /** A page for each linked file that has none of its own. */
  sourcePages(): Page[] {
    return [...this.#shown].sort().map((file) => ({
      path: sourcePath(file),
      markdown: `# \`${file}\`\n\n\`\`\`\`${languageOf(file)}\n${readFileSync(join(root, file), 'utf8').trimEnd()}\n\`\`\`\`\n`,
      frontmatter: { search: false, outline: false },
    }));
  }

  #placeOf(origin: string, target: string): string | undefined {
    const [path, anchor] = target.split('#') as [string, string?];
    const file = normalize(join(dirname(origin), path));
    const suffix = anchor === undefined ? '' : `#${anchor}`;
    if (isAsset(file) && existsSync(join(root, file))) return `/${file.slice('docs/'.length)}`;
    const page = sitePathOf(file) ?? sitePathOf(join(file, 'README.md'));
    if (page !== undefined && existsSync(join(root, originOf(file)))) return `/${page}${suffix}`;
    if (!existsSync(join(root, file))) throw new Error(`${origin}: ${target} leads to no file.`);
    if (statSync(join(root, file)).isDirectory()) return undefined;
    if (!isText(file)) throw new Error(`${origin}: ${target} is not text. Put pictures into docs/images.`);
    this.#shown.add(file);
    return `/${sourcePath(file)}`;
  }
}

/** A page of the site can show it as source. No text has a zero byte. */
const isText = (file: string) => !readFileSync(join(root, file)).includes(0);

/** The generator would take away `.html` and `.md` from the end of a link. */
const sourcePath = (file: string) => `source/${file.replaceAll('.', '-')}.md`;

const originOf = (file: string) => (file.endsWith('.md') ? file : join(file, 'README.md'));

const languageOf = (file: string) => /\.(\w+)$/.exec(file)?.[1] ?? 'text';
