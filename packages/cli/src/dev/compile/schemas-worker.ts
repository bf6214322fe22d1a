import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { createWatchCompiler, type BuildResult, type WatchCompiler } from '@toolwright/schema-compiler';
import { MANIFEST_FILE } from '@toolwright/manifest';
import { KeptViews } from '../../build/kept-views.js';
import { checkAgain, findBootDiagnostics, type BuildDiagnostic } from '../../build/boot-diagnostics.js';

export interface SchemasRequest {
  files: readonly string[];
}

export type SchemasAnswer =
  | {
      tell: 'compiled';
      manifest: BuildResult['manifest'];
      diagnostics: BuildDiagnostic[];
      /** Files that belong to the manifest: text by absolute path. */
      files: readonly (readonly [path: string, text: string])[];
    }
  | { tell: 'failed'; message: string };

const { project } = workerData as { project: string };
const port = parentPort!;
const directory = dirname(project);
const views = new KeptViews({ project, out: join(directory, MANIFEST_FILE), minify: false });
const check = checkAgain();
let compiler: WatchCompiler | undefined;

async function compile({ files }: SchemasRequest): Promise<SchemasAnswer> {
  try {
    if (!compiler || files.some((file) => file.endsWith('.json')))
      compiler = await createWatchCompiler({ project });
    const { manifest, diagnostics, declared } = compiler.compile(files);
    const ofBoot = [...(await findBootDiagnostics({ manifest, declared }, check)).values()].flat();
    const built = await views.build({ manifest, declared });
    const { pages, declarations } = built;
    const written = [...declarations, ...(pages ? [[pages.name, pages.text] as const] : [])];
    return {
      tell: 'compiled',
      manifest: built.manifest,
      diagnostics: [...diagnostics, ...ofBoot, ...built.diagnostics],
      files: written.map(([path, text]) => [join(directory, path), text] as const),
    };
  } catch (error) {
    return { tell: 'failed', message: (error as Error).message };
  }
}

port.on(
  'message',
  (request: SchemasRequest) => void compile(request).then((answer) => port.postMessage(answer)),
);
