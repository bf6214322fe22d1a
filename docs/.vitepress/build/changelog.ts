import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from './page.js';
import { publishedPackages, root } from './workspace.js';

type Bump = 'major' | 'minor' | 'patch';

interface Change {
  bump: Bump;
  packages: string[];
  text: string;
}

const headings: Record<Bump, string> = { major: 'Breaking', minor: 'New and changed', patch: 'Fixed' };
const bumps = Object.keys(headings) as Bump[];

/** What changed in each version, newest first. All packages share one version, so there is one list. */
export function changelogPage(): Page {
  const next = pendingChanges();
  const released = mergeChangelogs(packageChangelogs());
  const lines = [
    '# Changelog',
    'All packages share one version, so this list is for all of them. [Upgrading](/upgrading.md) says what you have to change.',
    ...(next.length === 0 ? [] : ['## Not released yet', ...sections(next)]),
    ...[...released].flatMap(([version, changes]) => [`## ${version}`, ...sections(changes)]),
  ];
  return { path: 'changelog.md', markdown: `${lines.join('\n\n')}\n` };
}

/** What the next release will say: the changesets. */
export function pendingChanges(): Change[] {
  const folder = join(root, '.changeset');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .map((name) => readChangeset(readFileSync(join(folder, name), 'utf8')));
}

/** One file of changesets: the packages and their bumps between lines of dashes, then the text. */
export function readChangeset(file: string): Change {
  const [, head = '', text = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(file) ?? [];
  const found = [...head.matchAll(/^['"]?([^'":]+)['"]?: (major|minor|patch)$/gm)];
  const bump = bumps.find((each) => found.some(([, , own]) => own === each));
  if (bump === undefined || text.trim() === '') throw new Error(`A changeset cannot be read: ${file}`);
  return { bump, packages: found.map(([, name]) => name!), text: text.trim() };
}

/** Each package's own changelog, which a release writes. */
function packageChangelogs(): Map<string, string> {
  const files = publishedPackages().map(({ folder, name }) => [
    name,
    join(root, 'packages', folder, 'CHANGELOG.md'),
  ]);
  return new Map(
    files.filter(([, file]) => existsSync(file!)).map(([name, file]) => [name!, readFileSync(file!, 'utf8')]),
  );
}

/** One list by version of the changelogs of packages. An entry of several packages stands there once. */
export function mergeChangelogs(changelogs: Map<string, string>): Map<string, Change[]> {
  const versions = new Map<string, Change[]>();
  for (const [name, changelog] of changelogs) {
    for (const part of changelog.split(/^## /m).slice(1)) {
      const version = part.slice(0, part.indexOf('\n')).trim();
      const changes = versions.get(version) ?? [];
      versions.set(version, changes);
      for (const entry of entriesOf(part)) {
        const known = changes.find(({ bump, text }) => bump === entry.bump && text === entry.text);
        if (known === undefined) changes.push({ ...entry, packages: [name] });
        else known.packages.push(name);
      }
    }
  }
  return versions;
}

function entriesOf(part: string): Omit<Change, 'packages'>[] {
  return part.split(/^### /m).flatMap((section) => {
    const bump = bumps.find((each) => section.toLowerCase().startsWith(`${each} changes`));
    if (bump === undefined) return [];
    return section
      .split(/^- /m)
      .slice(1)
      .filter((entry) => !entry.startsWith('Updated dependencies'))
      .map((entry) => ({
        bump,
        text: entry
          .replace(/^[0-9a-f]{7,40}: /, '')
          .replace(/^ {2}/gm, '')
          .trim(),
      }));
  });
}

function sections(changes: Change[]): string[] {
  return bumps.flatMap((bump) => {
    const own = changes.filter((change) => change.bump === bump);
    if (own.length === 0) return [];
    return [
      `### ${headings[bump]}`,
      ...own.map(({ packages, text }) => `${packages.map((name) => `\`${name}\``).join(', ')}: ${text}`),
    ];
  });
}
