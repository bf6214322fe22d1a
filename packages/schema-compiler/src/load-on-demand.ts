import type { BuildOptions } from './build-manifest.js';
import type { ExplainedOperation } from './explain/explain-operation.js';
import type { WatchCompiler } from './watch/watch-compiler.js';

type Explainer = typeof import('./explain/explain-operation.js');

/**
 * Finds out where every keyword in the schemas of an operation comes from.
 *
 * @param options.name of the operation, as clients see it
 * @returns without `explained` if no decorated method has the name; `names` then lists the existing names
 * @throws {ProjectError} the tsconfig cannot be read
 */
export async function explainProject({
  project,
  name,
}: BuildOptions & { name: string }): Promise<{ explained?: ExplainedOperation; names: string[] }> {
  // With it comes the TypeScript compiler, which the other exports of this package can do without.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const explainer: Explainer = require('./explain/explain-operation.js');
  return explainer.explainOperation(project, name);
}

/**
 * Makes a compiler that stays warm between edits, for development servers.
 *
 * @example
 * const compiler = await createWatchCompiler({ project: 'tsconfig.json' });
 * let { manifest } = compiler.compile();
 * // src/tools.ts was edited
 * ({ manifest } = compiler.compile(['src/tools.ts']));
 */
export async function createWatchCompiler({ project }: { project: string }): Promise<WatchCompiler> {
  const { WarmCompiler } = await import('./watch/watch-compiler.js');
  return new WarmCompiler(project);
}
