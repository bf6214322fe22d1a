import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AppCsp, AppSettings, ToolUi } from '@toolwright/ground/base/app-settings';
import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import { type Draft, type ToolDraft, locationOf } from '@toolwright/ground/call/operation/draft';
import type { BoundOperation, BuiltPage } from '@toolwright/ground/call/operation/operation';
import { systemClock } from '@toolwright/ground/ports/clock-and-ids';
import { getOrMake, oncePer, PAGE_OBSERVER } from '@toolwright/json';
import { findAppProblems } from '../checks/check-app.js';
import { resourceKind } from '../kinds/resource.js';
import { BUILD, type ClassEntry, type LoadedManifest } from '../manifest/loaded-manifest.js';

/** The package that builds views, and leaves them in the manifest. */
const PACKAGE = '@toolwright/views';

/** A page in the file beside the manifest, for the tools of one class. */
interface BuiltView {
  readonly uri: string;
  /** The view that it was built of, as the option `ui` of the tools names it. */
  readonly view: string;
  /** The file of the pages, relative to the manifest: an object with the text of each page by its name. */
  readonly file: string;
  readonly page: string;
  /** The digest of the page. The checksum of the manifest covers it. */
  readonly sha256: string;
  /** What the page loads, as far as its source shows it. */
  readonly csp?: AppCsp;
}

/** Reads the views that the build has made for a class: each becomes an app, and its tools name it. */
export function linkViews(
  match: ClassEntry,
  drafts: Draft<BoundOperation>[],
  problems: ConfigurationProblem[],
): void {
  const { manifest } = match;
  const byClass = manifest.manifest.extensions?.[PACKAGE] as Record<string, readonly BuiltView[]> | undefined;
  const built = byClass?.[match.key] ?? [];
  const tools = drafts.filter((draft): draft is ToolDraft => draft.kind === 'tool');
  const settings = settingsByView(tools);
  /** Whether the page of an address can be served. */
  const linked = new Map<string, boolean>();
  for (const tool of tools) {
    const { view, visibility, resourceUri, sensitive } = tool.ui ?? {};
    if (view === undefined) continue;
    const found = built.find((each) => each.view === view);
    let uri = resourceUri ?? found?.uri;
    if (found && resourceUri === undefined && !linked.has(found.uri)) {
      const app = draftApp(found, settings.get(view) ?? {}, pagesOf(manifest, found.file));
      linked.set(found.uri, 'draft' in app);
      if ('draft' in app) drafts.push(app.draft);
      else problems.push({ ...app.problem, ...locationOf(tool) });
    } else if (!found && manifest.manifest.checksum !== undefined)
      // A manifest that was compiled on the fly has no pages, and the tool is served without one.
      problems.push(unbuilt(tool, view, manifest.source));
    // What is missing is one problem, and not one more for each tool that names it.
    if (found && linked.get(found.uri) === false) uri = undefined;
    const ui: ToolUi = {
      ...(uri !== undefined && { resourceUri: uri }),
      ...(visibility && { visibility }),
      ...(sensitive && { sensitive }),
    };
    Object.assign(tool, { ui: Object.keys(ui).length > 0 ? ui : undefined });
  }
}

/** The settings of a page, which each of the tools that share it may have written. */
function settingsByView(tools: readonly ToolDraft[]): ReadonlyMap<string, AppSettings> {
  const settings = new Map<string, AppSettings>();
  for (const { ui = {} } of tools) {
    const { view, visibility: _, resourceUri, sensitive: __, ...own } = ui;
    if (view === undefined || resourceUri !== undefined) continue;
    const { csp = {}, ...earlier } = settings.get(view) ?? {};
    const all = joined(csp, own.csp);
    settings.set(view, { ...earlier, ...own, ...(Object.keys(all).length > 0 && { csp: all }) });
  }
  return settings;
}

function draftApp(
  { uri, view, file, page, sha256, csp }: BuiltView,
  settings: AppSettings,
  { directory, texts, at }: Pages,
): { draft: Draft<BoundOperation> } | { problem: ConfigurationProblem } {
  const html = texts[page];
  const ui = { ...settings, ...(csp && { csp: joined(csp, settings.csp) }) };
  if (html === undefined || createHash('sha256').update(html).digest('hex') !== sha256)
    return {
      problem: {
        code: 'TW_VIEW_UNBUILT',
        message: `The page of the view "${view}" is ${html === undefined ? 'missing' : 'not the one that was built'}. It belongs into ${file}, beside the manifest.`,
        fix: `Run \`npx --no toolwright build\`, and deploy ${file} beside the manifest.`,
      },
    };
  const served = new ServedPage({ uri, page, directory }, html, { view, at });
  const app = resourceKind.define({ uri, name: uri.slice('ui://'.length), ui, handler: () => served.html });
  const draft = { ...app, built: served.built };
  return { draft };
}

/** The text of each page by its name, and when the build has written them. */
interface Pages {
  /** The folder of the manifest. */
  readonly directory: string;
  readonly texts: Readonly<Record<string, string | undefined>>;
  readonly at: number;
}

const noPages: Pages = { directory: '', texts: {}, at: 0 };

/** All views of a build are in one file, and all classes of a boot have one manifest. So the file is read once. */
const pageFiles = oncePer((_: LoadedManifest) => new Map<string, Pages>());

function pagesOf(manifest: LoadedManifest, file: string): Pages {
  return getOrMake(pageFiles(manifest), file, () => readPages(manifest.directory, file));
}

/** Without a file of a manifest, or if the file of the pages cannot be read, there are no pages. */
function readPages(directory: string | undefined, file: string): Pages {
  if (directory === undefined) return noPages;
  const path = join(directory, file);
  try {
    const texts = JSON.parse(readFileSync(path, 'utf8')) as Pages['texts'];
    return { directory, texts, at: statSync(path).mtimeMs };
  } catch {
    return noPages;
  }
}

/** The origins that the source shows, and the origins that the author lists. */
function joined(found: AppCsp, listed: AppCsp = {}): AppCsp {
  // What is wrong with the listed ones is reported with the option of the tool.
  if (findAppProblems({ csp: listed }).length > 0) return found;
  const lists = Object.keys({ ...found, ...listed }) as (keyof AppCsp)[];
  return Object.fromEntries(
    lists.map((list) => [list, [...new Set([...(found[list] ?? []), ...(listed[list] ?? [])])]]),
  );
}

function unbuilt(tool: ToolDraft, view: string, source: string): ConfigurationProblem {
  return {
    code: 'TW_VIEW_UNBUILT',
    message: `${source} has no page for the view "${view}" of "${tool.name}".`,
    fix: BUILD,
    ...locationOf(tool),
  };
}

interface PagePlace {
  readonly uri: string;
  /** Its name in the file of the pages. */
  readonly page: string;
  /** The folder of the manifest. */
  readonly directory: string;
}

/** The page of a view, as it is served now. In development a newer one takes its place while the server runs. */
export class ServedPage {
  readonly uri: string;
  readonly page: string;
  readonly directory: string;
  readonly built: { -readonly [Member in keyof BuiltPage]: BuiltPage[Member] };

  constructor(
    { uri, page, directory }: PagePlace,
    public html: string,
    { view, at }: Pick<BuiltPage, 'view' | 'at'>,
  ) {
    this.uri = uri;
    this.page = page;
    this.directory = directory;
    this.built = { view, at, bytes: Buffer.byteLength(html) };
    const observe = (globalThis as Record<symbol, unknown>)[PAGE_OBSERVER] as
      ((page: ServedPage) => void) | undefined;
    observe?.(this);
  }

  /** Serves a newer page from now on. What else the server knows of it, such as its policy, must be the same. */
  show(html: string): void {
    this.html = html;
    this.built.bytes = Buffer.byteLength(html);
    this.built.at = systemClock.now();
  }
}
