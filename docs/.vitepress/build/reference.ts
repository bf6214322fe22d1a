import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { Application } from 'typedoc';
import type { Page } from './page.js';
import { packagesOf } from './sample.js';
import { publishedPackages, root, type WorkspacePackage } from './workspace.js';

/**
 * The reference: a page for each name that a package exports, from its doc comment and its types, and a page for each
 * way into a package that lists them.
 */
export async function referencePages(): Promise<Page[]> {
  const packages = packagesOf(publishedPackages());
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-reference-'));
  try {
    await writeReference(packages, folder);
    return [indexPage(packages), ...readReference(packages, folder)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function writeReference(packages: WorkspacePackage[], folder: string): Promise<void> {
  const app = await Application.bootstrapWithPlugins({
    entryPoints: packages.flatMap(({ entries }) => entries.map(({ source }) => join(root, source))),
    tsconfig: join(root, 'docs/.vitepress/tsconfig.reference.json'),
    basePath: root,
    plugin: ['typedoc-plugin-markdown'],
    // `pnpm build` and `pnpm typecheck` have checked the types.
    skipErrorChecking: true,
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: true,
    readme: 'none',
    disableSources: true,
    logLevel: 'Error',
    ...ofMarkdown,
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('TypeDoc could not read the packages.');
  await app.outputs.writeOutput({ name: 'markdown', path: folder }, project);
}

/** The options of the plug-in for Markdown, which the types of TypeDoc do not know. */
const ofMarkdown = {
  outputFileStrategy: 'members',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  entryFileName: 'index',
  pageTitleTemplates: { member: ({ name }: { name: string }) => name },
};

/** A way into a package, with the folder that the plug-in gives it and ours. */
interface Entry {
  specifier: string;
  description: string;
  from: string;
  to: string;
}

/** The plug-in names folders after source files, and we after what people import: `core/transport`. */
const entriesOf = (packages: WorkspacePackage[]): Entry[] =>
  packages.flatMap(({ folder, name, description, entries }) =>
    entries.map(({ specifier, source }) => ({
      specifier,
      description,
      from: source.replace(/(\/index)?\.m?ts$/, ''),
      to: `reference/${folder}${specifier.slice(name.length)}`,
    })),
  );

function readReference(packages: WorkspacePackage[], folder: string): Page[] {
  const entries = entriesOf(packages);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.md') && file !== 'index.md',
  );
  return files.map((file) => {
    const entry = entryOf(entries, file);
    const path = entry.to + file.slice(entry.from.length);
    const linkTo = (target: string) => {
      const linked = posix.join(posix.dirname(file), target);
      const { from, to } = entryOf(entries, linked);
      return `/${to}${linked.slice(from.length)}`;
    };
    const markdown = readFileSync(join(folder, file), 'utf8').replace(
      /\]\(([^)\s#:]+\.md)/g,
      (_link, target: string) => `](${linkTo(target)}`,
    );
    return { path, markdown: file.endsWith('/index.md') ? listing(entry, markdown) : markdown };
  });
}

/** The entry whose folder a file is in: the deepest one, since ways in are folders inside that of their package. */
function entryOf(entries: Entry[], file: string): Entry {
  const [entry] = entries
    .filter(({ from }) => file.startsWith(`${from}/`))
    .sort((a, b) => b.from.length - a.from.length);
  if (entry === undefined) throw new Error(`The reference has ${file}, which belongs to no package.`);
  return entry;
}

/** The list of names of one way in. */
function listing({ specifier, description }: Entry, markdown: string): string {
  const names = markdown.replace(/^# .*\n/, '').trim();
  const rest = names === '' ? 'It is imported for its effect, and exports no names.' : names;
  return `# \`${specifier}\`\n\n${description}\n\n${rest}\n`;
}

function indexPage(packages: WorkspacePackage[]): Page {
  const rows = entriesOf(packages).map(
    ({ specifier, description, to }) => `| [\`${specifier}\`](/${to}/index.md) | ${description} |`,
  );
  const intro =
    'Every name that the packages export, with its types and its comment. The guides say how to use them together.';
  const lines = ['# Reference', '', intro, '', '| Import | Package |', '| --- | --- |', ...rows];
  return { path: 'reference/index.md', markdown: `${lines.join('\n')}\n` };
}
