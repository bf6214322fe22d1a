import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from './page.js';
import { root } from './workspace.js';

/** Where a file of the repository stands on the site, or undefined when it has no page of its own. */
export function sitePathOf(file: string): string | undefined {
  if (file === 'README.md') return 'index.md';
  if (file === 'SECURITY.md') return 'security-policy.md';
  const [, room, name] = /^(packages|apps)\/([^/]+)\/README\.md$/.exec(file) ?? [];
  if (room !== undefined) return `${room}/${name}.md`;
  if (!/^docs\/[^.].*\.md$/.test(file)) return undefined;
  return file.slice('docs/'.length).replace(/(^|\/)README\.md$/, '$1index.md');
}

/** What people wrote: the guides, the decisions, and the READMEs of packages and apps. */
export function writtenPages(): Page[] {
  const docs = markdownBelow('docs');
  const readmes = ['packages', 'apps'].flatMap((room) =>
    readdirSync(join(root, room)).map((name) => `${room}/${name}/README.md`),
  );
  return [...docs, ...readmes.filter(isThere), 'SECURITY.md'].map((origin) => ({
    path: sitePathOf(origin)!,
    markdown: readFileSync(join(root, origin), 'utf8'),
    origin,
  }));
}

const isThere = (file: string) => existsSync(join(root, file));

/** Markdown files below a folder; what a build wrote there and hidden folders are left out. */
function markdownBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.name.startsWith('.') || ['dist', 'node_modules'].includes(entry.name)) return [];
    if (entry.isDirectory()) return markdownBelow(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}
