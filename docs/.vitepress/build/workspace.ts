import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Where the pages are put together before the generator reads them. */
export const pagesFolder = join(root, 'docs/.vitepress/pages');

export interface WorkspacePackage {
  /** The name of its folder below `packages`. */
  folder: string;
  /** Its name on npm. */
  name: string;
  description: string;
  /** Its ways in that have types: the path that is imported, and the source file. */
  entries: { specifier: string; source: string }[];
}

interface PackageJson {
  name: string;
  version: string;
  description: string;
  exports: Record<string, string | { types?: string }>;
  private?: boolean;
}

const readJson = <T>(path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as T;

/** All packages share one version. */
export const version = readJson<PackageJson>('packages/core/package.json').version;

/** Every package that is published, in the order of the alphabet. */
export function publishedPackages(): WorkspacePackage[] {
  return readdirSync(join(root, 'packages'))
    .sort()
    .flatMap((folder) => {
      const { private: isPrivate, ...manifest } = readJson<PackageJson>(`packages/${folder}/package.json`);
      if (isPrivate) return [];
      const { name, description, exports } = manifest;
      const entries = Object.entries(exports).flatMap(([way, target]) => {
        const types = typeof target === 'string' ? undefined : target.types;
        return types === undefined
          ? []
          : [{ specifier: name + way.slice(1), source: sourceOf(`packages/${folder}`, types) }];
      });
      return [{ folder, name, description, entries }];
    });
}

/** The source of a declaration file, which has the comments. */
function sourceOf(folder: string, types: string): string {
  const same = types.replace('./dist/', `${folder}/src/`).replace(/\.d\.(m?ts)$/, '.$1');
  // A build may write the types of a module beside those of its source.
  const source = existsSync(join(root, same)) ? same : same.replace(/\.mts$/, '.ts');
  if (!existsSync(join(root, source))) throw new Error(`${folder}: ${types} has no source ${source}.`);
  return source;
}
