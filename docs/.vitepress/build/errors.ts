import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaErrorCatalogue } from '../../../packages/schema-compiler/src/diagnostics/catalogue.js';
import { helpOf } from './error-help.js';
import type { Page } from './page.js';
import { publishedPackages, root } from './workspace.js';

interface ErrorRow {
  code: string;
  /** The heading above its table: "At boot". */
  section: string;
  /** Of the build: `error` or `warning`. */
  severity?: string;
  meaning: string;
}

/** The compiler says with each error what to write instead. */
const catalogue: Record<string, { fix: string }> = schemaErrorCatalogue;

export const places: Record<string, string> = {
  'In a call':
    'A call, or a request before it, ends with this code. You find it in the log and in the audit log.',
  'At boot':
    '`createMcpServer` throws a `ConfigurationError` that lists it, before the server serves anything.',
  'In the build': '`toolwright build` and `toolwright dev` print it with file, line and column.',
  'In the audit log': '`@toolwright/audit` throws it.',
  'In the stores on PostgreSQL': '`@toolwright/postgres` throws it.',
  'In tokens for other resources': '`ctx.tokenFor` of `@toolwright/identity` throws it in a tool.',
  'In decisions of a policy engine':
    'A call, or a list, ends with it. `@toolwright/identity/decisions` logs the cause.',
  'In the issuer of development': '`@toolwright/identity/dev` throws it, and `toolwright dev` shows it.',
  'In the import and the calls of APIs': '`@toolwright/openapi` throws it.',
  'In the import and the calls of tables': '`@toolwright/tables` throws it.',
  'In mounted servers': '`@toolwright/mount` throws it: at boot, or as the result of a call.',
  'In the chat of the console': '`@toolwright/chat` throws it, and the pane _Chat_ of the console shows it.',
  'In the helpers for tool authors': '`@toolwright/safe` throws it.',
};

/** The rows of all tables of docs/errors.md. */
export function errorRows(page: string): ErrorRow[] {
  return page.split(/^## /m).flatMap((part) => {
    const section = part.slice(0, part.indexOf('\n'));
    return [...part.matchAll(/^\| `(TW_[A-Z0-9_]+)` *\|(?: (error|warning) *\|)? (.+?) *\|$/gm)].map(
      ([, code, severity, meaning]) => ({
        code: code!,
        section,
        ...(severity !== undefined && { severity }),
        meaning: meaning!,
      }),
    );
  });
}

/** A page for each code, and the table with links to them. */
export function errorPages(guide: Page, guides: Page[]): Page[] {
  const rows = errorRows(guide.markdown);
  const throwers = packagesByCode();
  const linked = guide.markdown.replace(/^\| `(TW_[A-Z0-9_]+)`/gm, '| [`$1`](/errors/$1.md)');
  return [{ ...guide, markdown: linked }, ...rows.map((row) => errorPage(row, throwers, guides))];
}

function errorPage(row: ErrorRow, throwers: Map<string, string[]>, guides: Page[]): Page {
  const { code, section, severity, meaning } = row;
  const packages = throwers.get(code);
  const place = places[section];
  if (packages === undefined) throw new Error(`docs/errors.md explains ${code}, which no package uses.`);
  if (place === undefined) throw new Error(`docs/.vitepress/build/errors.ts does not know "${section}".`);
  const fix = catalogue[code]?.fix;
  const help = helpOf(code);
  const lines = [
    `# ${code}`,
    meaning,
    ...(severity === undefined
      ? []
      : [
          `This is ${severity === 'error' ? 'an error: it fails the build' : 'a warning: the build goes on'}.`,
        ]),
    '## Cause',
    help.cause,
    '## What to do',
    help.remedy,
    ...(fix === undefined ? [] : [`The build says: ${fix}`]),
    '## Example',
    help.example,
    '## Where it appears',
    place,
    `It comes from ${packages.map((name) => `\`${name}\``).join(', ')}.`,
    `Read more in [${help.guide.title}](${help.guide.link}).`,
    ...alsoIn(code, guides),
    'See [all codes](errors.md).',
  ];
  return { path: `errors/${code}.md`, origin: 'docs/errors.md', markdown: `${lines.join('\n\n')}\n` };
}

/** Guides that mention the code. */
function alsoIn(code: string, guides: Page[]): string[] {
  const found = guides.filter(
    ({ path, markdown }) =>
      path !== 'errors.md' && !path.startsWith('adr/') && new RegExp(`\\b${code}\\b`).test(markdown),
  );
  if (found.length === 0) return [];
  const links = found.map(({ markdown, origin }) => `[${/^# (.+)$/m.exec(markdown)![1]}](../${origin})`);
  return [`These pages mention it: ${links.join(', ')}.`];
}

function packagesByCode(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { folder, name } of publishedPackages()) {
    // Core is published with what it stands on.
    const folders = folder === 'core' ? ['core', 'ground', 'wire'] : [folder];
    const text = folders.flatMap((each) => sourcesOf(join(root, 'packages', each, 'src'))).join('\n');
    for (const code of new Set(text.match(/\bTW_[A-Z0-9_]*[A-Z0-9]\b/g))) {
      found.set(code, [...(found.get(code) ?? []), name]);
    }
  }
  return found;
}

/** Without a folder of sources, a package passes another one on. */
function sourcesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?ts$/.test(name) && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}
