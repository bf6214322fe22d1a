import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { createWatchCompiler, type WatchCompiler } from '@toolwright/schema-compiler';
import { MANIFEST_FILE, type Manifest } from '@toolwright/manifest';
import { KeptViews } from '../../build/kept-views.js';
import { type Compiled, type ProjectViews, formatPages } from '../../build/project-views.js';
import { findCircles } from '../../build/circles.js';
import { checkAgain, findBootDiagnostics, type BuildDiagnostic } from '../../build/boot-diagnostics.js';

/** A question to the thread. Those about views alone are about the schemas of the last `compile`. */
export type SchemasRequest =
  | { ask: 'compile'; files: readonly string[] }
  /** Makes the pages. Nothing checks their types. */
  | { ask: 'bundle' }
  /** Makes the pages, and checks their types. The next question ends the check. */
  | { ask: 'checkViews' };

/** The pages of views. */
export interface BuiltPages {
  /** Text by name. */
  readonly texts: Readonly<Record<string, string>>;
  /** Absolute paths of the files that they are made of. */
  readonly inputs: readonly string[];
}

export type SchemasAnswer =
  | {
      tell: 'compiled';
      manifest: Manifest;
      diagnostics: BuildDiagnostic[];
      /** Those of `diagnostics` that are about views. */
      ofViews: readonly BuildDiagnostic[];
      /** Files that belong to the manifest: text by absolute path. */
      files: readonly (readonly [path: string, text: string])[];
      pages: BuiltPages;
    }
  | {
      tell: 'bundled';
      extensions: Manifest['extensions'];
      diagnostics: readonly BuildDiagnostic[];
      pages: BuiltPages;
    }
  /** A newer question has ended the check. */
  | { tell: 'ended' }
  | { tell: 'failed'; message: string };

/** Requests and answers have a number: a check goes on while the next question is answered. */
export type Numbered<T> = T & { readonly number: number };

const { project } = workerData as { project: string };
const port = parentPort!;
const directory = dirname(project);
const views = new KeptViews({ project, out: join(directory, MANIFEST_FILE), minify: false });
const check = checkAgain();
let compiler: WatchCompiler | undefined;
let last: { readonly compiled: Compiled; readonly diagnostics: readonly BuildDiagnostic[] } | undefined;
let checking: { readonly abort: AbortController; readonly over: Promise<unknown> } | undefined;

async function answer(request: SchemasRequest): Promise<SchemasAnswer> {
  const before = checking;
  before?.abort.abort();
  try {
    if (request.ask === 'bundle') return bundled(await views.bundle(last!.compiled));
    if (request.ask === 'compile') await compile(request.files);
    await before?.over;
    return await withViews(request.ask === 'checkViews');
  } catch (error) {
    return { tell: 'failed', message: (error as Error).message };
  }
}

async function compile(files: readonly string[]): Promise<void> {
  if (!compiler || files.some((file) => file.endsWith('.json')))
    compiler = await createWatchCompiler({ project });
  const { manifest, diagnostics, declared } = compiler.compile(files);
  const ofBoot = [...(await findBootDiagnostics({ manifest, declared }, check)).values()].flat();
  const circles = findCircles(manifest);
  last = { compiled: { manifest, declared }, diagnostics: [...diagnostics, ...ofBoot, ...circles] };
}

/** @param mayEnd whether the next question ends it */
async function withViews(mayEnd: boolean): Promise<SchemasAnswer> {
  const abort = new AbortController();
  const { compiled, diagnostics } = last!;
  const building = views.build(compiled, abort.signal);
  if (mayEnd) checking = { abort, over: building.catch(() => undefined) };
  try {
    const built = await building;
    const { pages, declarations, manifest, diagnostics: ofViews } = built;
    const written = [...declarations, ...(pages ? [[pages.name, formatPages(pages)] as const] : [])];
    return {
      tell: 'compiled',
      manifest,
      diagnostics: [...diagnostics, ...ofViews],
      ofViews,
      files: written.map(([path, text]) => [join(directory, path), text] as const),
      pages: pagesOf(built),
    };
  } catch (error) {
    if (abort.signal.aborted) return { tell: 'ended' };
    throw error;
  }
}

function bundled(built: ProjectViews): SchemasAnswer {
  const { manifest, diagnostics } = built;
  return { tell: 'bundled', extensions: manifest.extensions, diagnostics, pages: pagesOf(built) };
}

const pagesOf = ({ pages, inputs }: ProjectViews): BuiltPages => ({ texts: pages?.texts ?? {}, inputs });

port.on('message', ({ number, ...request }: Numbered<SchemasRequest>) => {
  void answer(request as SchemasRequest).then((given) =>
    port.postMessage({ ...given, number } satisfies Numbered<SchemasAnswer>),
  );
});
