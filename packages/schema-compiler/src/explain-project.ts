import type { BuildOptions } from './build-manifest.js';
import type { ExplainedOperation } from './explain/explain-operation.js';

type Explainer = typeof import('./explain/explain-operation.js');

/**
 * Tells where every keyword of an operation's schemas comes from.
 *
 * @param options.name of the operation, as it is published
 * @returns without `explained` when no decorated method has the name; `names` are those that there are
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
