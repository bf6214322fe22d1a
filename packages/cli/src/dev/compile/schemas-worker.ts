import { parentPort, workerData } from 'node:worker_threads';
import { createWatchCompiler, type BuildResult, type WatchCompiler } from '@toolwright/schema-compiler';
import { findPatternDiagnostics, type BuildDiagnostic } from '../../build/pattern-diagnostics.js';

export interface SchemasRequest {
  files: readonly string[];
}

export type SchemasAnswer =
  | { tell: 'compiled'; manifest: BuildResult['manifest']; diagnostics: BuildDiagnostic[] }
  | { tell: 'failed'; message: string };

const { project } = workerData as { project: string };
const port = parentPort!;
let compiler: WatchCompiler | undefined;

async function compile({ files }: SchemasRequest): Promise<SchemasAnswer> {
  try {
    if (!compiler || files.some((file) => file.endsWith('.json')))
      compiler = await createWatchCompiler({ project });
    const { manifest, diagnostics } = compiler.compile(files);
    const ofPatterns = [...(await findPatternDiagnostics(manifest)).values()].flat();
    return { tell: 'compiled', manifest, diagnostics: [...diagnostics, ...ofPatterns] };
  } catch (error) {
    return { tell: 'failed', message: (error as Error).message };
  }
}

port.on(
  'message',
  (request: SchemasRequest) => void compile(request).then((answer) => port.postMessage(answer)),
);
