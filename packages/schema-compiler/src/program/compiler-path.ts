import * as nodePath from 'node:path';

/**
 * The spelling in which TypeScript knows a file: absolute, and with forward slashes on Windows, too. Watchers and
 * `resolve` say `C:\app\a.ts` where the compiler says `C:/app/a.ts`. So every path that is compared with a name of the
 * compiler, or given to its host, is spelled like this first.
 *
 * @param path the rules of a system; tests pass those of Windows
 */
export function compilerPath(
  file: string,
  { resolve, sep }: Pick<typeof nodePath, 'resolve' | 'sep'> = nodePath,
): string {
  return resolve(file).split(sep).join('/');
}
