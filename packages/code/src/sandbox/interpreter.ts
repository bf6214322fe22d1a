import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What of WebAssembly is used here. The types of Node.js do not have it. */
const { compile } = (
  globalThis as unknown as { WebAssembly: { compile(bytes: Uint8Array): Promise<unknown> } }
).WebAssembly;

let compiled: Promise<unknown> | undefined;

/** The interpreter as a module of WebAssembly, compiled once for all threads of the process. */
export function compileInterpreter(): Promise<unknown> {
  return (compiled ??= readFile(require.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')).then(compile));
}

/** The program of the threads. It is beside the bundle of the package, wherever this module runs from. */
export const workerFile = (): string =>
  join(require.resolve('@toolwright/code/package.json'), '../dist/worker.bundle.js');
