import type { DefaultTheme } from 'vitepress';
import { alsoCalled } from './also-called.js';
import { searchSettings } from '../theme/search-settings.js';
import { readingLine } from './reading.js';

/** Files that pages link to, such as tests; decisions; lists that repeat what guides say. */
const leftOut =
  /^(source\/|adr\/|apps\/|(changelog|claims|benchmarks|features|guides|reference\/index)\.md$)/;

/**
 * What the search index has of a page: its prose. Of the reference it has the names and the first sentences. More would be
 * most of the index, and hide the guides.
 *
 * @returns Markdown; empty if the search must not find the page
 */
export function indexedPart(markdown: string, path: string): string {
  if (leftOut.test(path)) return '';
  if (path.startsWith('reference/')) return startOf(markdown);
  return withoutCode(markdown).replace(readingLine, '');
}

/** The title of a page of the reference, and the first sentence below it. */
function startOf(markdown: string): string {
  const [, title = '', first = ''] = /^(# .*)\n[^]*?\n\n([A-Z][^\n]*(?:\n[^\n#]+)*)/m.exec(markdown) ?? [];
  return `${title}\n\n${/^[^]+?[.:](?=\s|$)/.exec(first)?.[0] ?? first}`;
}

/** Blocks of code have names that the text beside them has, too, and names of examples, which nobody looks for. */
const withoutCode = (markdown: string) => markdown.replace(/^\s*```[\s\S]*?^\s*```\s*$/gm, '');

/** The settings for the build, which also reads the words of others, at the top of a page. */
export const indexSettings = {
  ...searchSettings,
  options: {
    ...searchSettings.options,
    extractField: (section: Record<string, unknown>, field: string) =>
      field === 'asked'
        ? wordsOfOthers(String(section['id']), section['titles'] as string[])
        : section[field],
  },
} satisfies NonNullable<DefaultTheme.LocalSearchOptions['miniSearch']>;

const wordsOfOthers = (id: string, titles: readonly string[]): string =>
  titles.length === 0 ? (alsoCalled[id.slice(1).replace(/#.*$/, '')] ?? '') : '';
