import type { WatchCompiler } from './watch/watch-compiler.js';

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
