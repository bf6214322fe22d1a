import { createHash } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import { gzipSync } from 'node:zlib';
import { basename, extname, relative, resolve, sep } from 'node:path';
import { readFileSync } from 'node:fs';
import { type BundledView, bundleView, loadVite } from './bundle-view.js';
import { checkTypes, exportPlace } from './check-types.js';
import { findSources, isInstalled } from './find-sources.js';
import { KeptBuilds } from './kept-builds.js';
import type { BuiltView, ToolView, ViewKind, ViewPlace, ViewProblem, ViewSource } from './tool-view.js';

export interface ViewsProject {
  /** The folder of the project. */
  readonly root: string;
  /** Its tsconfig. */
  readonly project: string;
  readonly tools: readonly ToolView[];
  /** The tools whose results are not objects. */
  readonly wrapped: readonly string[];
  /** The text of `views.d.ts`. */
  readonly declarations: string;
  /** The name of the file of the pages, beside the manifest. */
  readonly file: string;
  /** False leaves the names of the project's code, which is faster. Default: true. */
  readonly minify?: boolean;
  /** False when something else checks the types. Default: true. */
  readonly types?: boolean;
  /** What an earlier build has kept. By default all is made anew. */
  readonly kept?: KeptBuilds;
  /** Ends the check of types. */
  readonly signal?: AbortSignal;
}

export interface BuiltViews {
  readonly problems: readonly ViewProblem[];
  /** For the manifest: the pages of each class, by its key. */
  readonly fields: Record<string, readonly BuiltView[]>;
  /** The text of each page, by its name: the content of the file beside the manifest. */
  readonly pages: Readonly<Record<string, string>>;
  /** The folders of the views, relative to the project: each gets `views.d.ts`. */
  readonly folders: readonly string[];
  /** The files of the project that the pages were made of. */
  readonly inputs: readonly string[];
}

/** A page may have at most this many bytes. */
const MOST_BYTES = 300 * 1024;

/** What a project needs for its views, beside this package. */
const needs: Record<ViewKind, readonly string[]> = {
  plain: ['vite'],
  react: ['vite', 'react', 'react-dom'],
  preact: ['vite', 'preact'],
};

/**
 * Builds all views of a project. Problems of views are returned; nothing is written but what checks types.
 *
 * @throws {Error} when the signal ends the check of types
 */
export async function buildViews(project: ViewsProject): Promise<BuiltViews> {
  const { root, tools, kept = new KeptBuilds() } = project;
  const { sources, problems } = findSources(root, tools);
  const sound: ViewSource[] = [];
  for (const source of sources) {
    const problem = findProblem(source, root);
    if (problem) problems.push(problem);
    else sound.push(source);
  }
  const names = namesOf(sound);
  const pages: Record<string, string> = {};
  const inputs = new Set(sources.map(({ path }) => path));
  const fields: Record<string, BuiltView[]> = {};
  const unbuilt: ViewProblem[] = [];
  const needsCheck = project.types !== false && sound.length > 0;
  const checked = needsCheck ? check(sound, { ...project, kept }) : Promise.resolve([]);
  // It may fail while the pages are still made.
  checked.catch(() => undefined);
  const vite = sound.length > 0 ? await loadVite(root) : undefined;
  for (const source of sound) {
    const name = names.get(source.path)!;
    const built = await build(source, { ...project, kept, vite: vite! });
    if ('problem' in built) {
      unbuilt.push(built.problem);
      continue;
    }
    const { html, csp } = built;
    built.inputs.forEach((input) => inputs.add(input));
    pages[name] = html;
    const sha256 = createHash('sha256').update(html).digest('hex');
    const classes = [...new Set(source.tools.map((each) => each.class))];
    classes.forEach((key, index) => {
      const view = source.tools.find((each) => each.class === key)!.view;
      // A class brings the pages of its tools. Two classes with one view have two addresses for it.
      const uri = `ui://views/${name}${index === 0 ? '' : `-${index + 1}`}`;
      (fields[key] ??= []).push({ uri, view, file: project.file, page: name, sha256, ...(csp && { csp }) });
    });
  }
  const ofTypes = await checked;
  // The compiler reports most of what keeps a view from being built, each mistake at its own place.
  const isReported = ({ code, file }: ViewProblem) =>
    code === 'TW_VIEW_INVALID' && ofTypes.some((each) => each.file === file);
  problems.push(...unbuilt.filter((problem) => !isReported(problem)), ...ofTypes);
  const folders = [...new Set(sources.map(({ file }) => file.split('/').slice(0, -1).join('/')))];
  return { problems, fields, pages, folders, inputs: [...inputs] };
}

function findProblem(source: ViewSource, root: string): ViewProblem | undefined {
  const { kind, path } = source;
  const missing = needs[kind].filter((name) => !isInstalled(name, root));
  const at = { severity: 'error', ...exportPlace(source) } as const;
  if (missing.length > 0)
    return {
      ...at,
      code: 'TW_PACKAGE_MISSING',
      message: `The view needs ${missing.join(' and ')} to be built. Run \`npm install --save-dev ${missing.join(' ')}\`. Production does not need ${missing.length === 1 ? 'it' : 'them'}.`,
    };
  if (!/\bexport\s+default\b|\bas\s+default\b/.test(readFileSync(path, 'utf8')))
    return {
      ...at,
      code: 'TW_VIEW_INVALID',
      message:
        'The file has no default export. Export the component: `export default function Chart({ result }) { … }`.',
    };
  return undefined;
}

interface Building extends ViewsProject {
  readonly kept: KeptBuilds;
}

async function check(sources: readonly ViewSource[], project: Building): Promise<readonly ViewProblem[]> {
  const { kept, declarations } = project;
  const shown = sources.map(({ path, kind, tools }) => [path, kind, tools.map(({ tool }) => tool)]);
  return kept.types.get(JSON.stringify([shown, declarations]), async () => {
    const { problems, inputs } = await checkTypes(sources, project);
    return { value: problems, inputs: problems.length === 0 ? inputs : undefined };
  });
}

async function build(
  source: ViewSource,
  { vite, root, wrapped, minify = true, kept }: Building & { vite: typeof import('vite') },
): Promise<BundledView | { problem: ViewProblem }> {
  const at = { severity: 'error', ...exportPlace(source) } as const;
  const { path, kind, tools } = source;
  const wish = JSON.stringify([kind, tools.map(({ tool }) => tool), wrapped, minify]);
  try {
    const bundled = await kept.bundle(path).get(wish, async () => {
      const { libraries } = kept;
      const value = await bundleView(source, { vite, root, wrapped, minify, libraries });
      return { value, inputs: value.inputs };
    });
    const { html } = bundled;
    const bytes = Buffer.byteLength(html);
    if (minify && bytes > MOST_BYTES)
      return {
        problem: {
          ...at,
          code: 'TW_VIEW_LARGE',
          message: `The page has ${kilobytes(bytes)} (${kilobytes(gzipSync(html).length)} compressed); 300 KB are allowed, because hosts load it for each result. Import less.`,
        },
      };
    return bundled;
  } catch (error) {
    return { problem: { ...at, ...describeFailure(error, root), code: 'TW_VIEW_INVALID' } };
  }
}

/**
 * Rolldown puts a picture of the place below what it says. Its first line names the file, the line and the column. The bundlers of
 * a Vite before 8 have the place beside what they say, with columns from 0.
 */
function describeFailure(error: unknown, root: string): { message: string } & Partial<ViewPlace> {
  const { message, loc } = error as Error & { loc?: { file?: string; line: number; column: number } };
  // It colours all of it.
  const text = stripVTControlCharacters(message).trim();
  const [, drawn, path = loc?.file, line = loc?.line, column = loc && loc.column + 1] =
    /^(.*)\n[^\n]*\u2500\[ (.+):(\d+):(\d+) \]$/m.exec(text) ?? [];
  const said =
    drawn ?? /: ERROR: (.*)/.exec(text)?.[1] ?? text.replace(/\nfile: [^]*|^.* \(\d+:\d+\): /g, '');
  const file = path === undefined ? undefined : relative(root, resolve(root, path)).split(sep).join('/');
  const place = file !== undefined && { file, line: Number(line), column: Number(column) };
  return { ...place, message: `The view cannot be built: ${said.replace(/^\[\w+\] /, '')}` };
}

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1024)} KB`;

/** A name for each file: that of the file, with a number where two have the same. */
function namesOf(sources: readonly ViewSource[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    [...sources]
      .sort((a, b) => (a.file < b.file ? -1 : 1))
      .map(({ path }) => {
        const own = basename(path, extname(path)).replace(/[^A-Za-z0-9_-]+/g, '-');
        let name = own;
        for (let count = 2; taken.has(name); count++) name = `${own}-${count}`;
        taken.add(name);
        return [path, name];
      }),
  );
}
