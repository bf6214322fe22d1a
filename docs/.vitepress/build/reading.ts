import type { Page } from './page.js';

/** Words that somebody reads in a minute, code among them. */
const wordsInAMinute = 200;

/** The line below the title of a guide: how long it takes, and what its reader should know. The search leaves it out. */
export const readingLine = /^_About \d+ minutes?\..*_$/m;

/**
 * Puts the line there. What comes before a guide is written once, in the tables of the page that says which guide one needs.
 *
 * @param which that page, with the links of the site
 */
export function withReadingLine(page: Page, which: Page): Page {
  const before = prerequisitesOf(which).get(page.path);
  if (before === undefined) return page;
  const minutes = Math.max(1, Math.round(page.markdown.split(/\s+/).length / wordsInAMinute));
  const line = `_About ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}. Read before: ${before}._`;
  return { ...page, markdown: page.markdown.replace(/^# .*$/m, `$&\n\n${line}`) };
}

/** The last link of each row, by the path of its guide. */
export function prerequisitesOf({ markdown }: Page): Map<string, string> {
  const rows = markdown.matchAll(/^\|.*\]\(\/([^)#\s]+)\)\s*\|\s*(\[[^\]]*\]\([^)\s]+\))\s*\|$/gm);
  return new Map([...rows].map(([, path, before]) => [path!, before!]));
}
