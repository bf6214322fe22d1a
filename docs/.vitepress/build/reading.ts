import type { Page } from './page.js';

/** Words that somebody reads in a minute, code among them. */
const wordsInAMinute = 200;

/** More would be a menu. */
const mostNext = 3;

/** The line below the title of a guide: how long it takes, what its reader should know, and what comes next. The search leaves it out. */
export const readingLine = /^_About \d+ minutes?\..*_$/m;

/** What a reader of a guide has read before, and may read next: links. */
interface Surroundings {
  readonly before: string | undefined;
  readonly next: readonly string[];
}

/**
 * Puts the line there. What surrounds a guide is written once, in the list and the tables of the page that says which guide one
 * needs.
 *
 * @param which that page, with the links of the site
 */
export function withReadingLine(page: Page, which: Page): Page {
  const around = surroundingsOf(which).get(page.path);
  if (around === undefined) return page;
  const minutes = Math.max(1, Math.round(page.markdown.split(/\s+/).length / wordsInAMinute));
  const time = `About ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  const line = `_${time}. Read before: ${around.before ?? 'nothing'}. Next: ${around.next.join(', ')}._`;
  return { ...page, markdown: page.markdown.replace(/^# .*$/m, `$&\n\n${line}`) };
}

/** By the path of each guide that is in the list of the first day or in a table with a column for what to read before. */
export function surroundingsOf({ markdown, path }: Page): Map<string, Surroundings> {
  const tables = markdown.split(/^## .*$/m).map((part) => [...part.matchAll(row)].map(readRow));
  const rows = tables.flat();
  const firstDay = [...markdown.matchAll(/^\d+\. [^[]*\[([^\]]*)\]\(\/([^)#\s]+)\)/gm)].map(
    ([, text, to]) => rows.find(({ guide }) => guide === to) ?? { link: `[${text}](/${to})`, guide: to! },
  );
  const found = new Map<string, Surroundings>();
  for (const table of tables)
    table.forEach(({ guide, before }, at) => {
      const readers = rows.filter(({ needs }) => needs === guide).slice(0, mostNext);
      const next = readers.length > 0 ? readers : table.slice(at + 1, at + 2);
      found.set(guide, {
        before,
        next: next.length > 0 ? next.map(linkOf) : [`[Which guide do I need?](/${path})`],
      });
    });
  firstDay.forEach(({ guide }, at) => {
    const next = firstDay.slice(at + 1, at + 2).map(linkOf);
    const known = found.get(guide);
    if (known)
      found.set(guide, { ...known, next: [...new Set([...next, ...known.next])].slice(0, mostNext) });
    else found.set(guide, { before: firstDay[at - 1]?.link, next });
  });
  return found;
}

const row = /^\|.*(\[[^\]]*\]\(\/([^)#\s]+)\))\s*\|\s*(\[[^\]]*\]\(\/([^)#\s]+)\))\s*\|$/gm;

const readRow = ([, link, guide, before, needs]: RegExpMatchArray) => ({
  link: link!,
  guide: guide!,
  before: before!,
  needs: needs!,
});

const linkOf = ({ link }: { readonly link: string }) => link;
