import { parentPort, workerData } from 'node:worker_threads';
import { createWatchCompiler, type BuildResult, type WatchCompiler } from '@toolwright/schema-compiler';
import { findBootDiagnostics, type BuildDiagnostic } from '../../build/boot-diagnostics.js';

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
    const { manifest, diagnostics, declared } = compiler.compile(files);
    const ofBoot = [...(await findBootDiagnostics({ manifest, declared })).values()].flat();
    return { tell: 'compiled', manifest, diagnostics: [...diagnostics, ...ofBoot] };
  } catch (error) {
    return { tell: 'failed', message: (error as Error).message };
  }
}

port.on(
  'message',
  (request: SchemasRequest) => void compile(request).then((answer) => port.postMessage(answer)),
);
