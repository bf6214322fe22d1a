import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PackageManifest {
  readonly name: string;
  readonly private?: boolean;
  readonly main?: string;
  readonly exports?: Readonly<Record<string, string | { readonly types?: string }>>;
  readonly description: string;
  readonly files?: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
  readonly keywords: readonly string[];
  readonly publishConfig?: object;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly homepage?: string;
  readonly repository?: { readonly type: string; readonly url: string; readonly directory: string };
  readonly bugs?: { readonly url: string };
}

const packages = join(__dirname, '../../../packages');

/** Every package, by its folder. */
export const allPackages: ReadonlyMap<string, PackageManifest> = new Map(
  readdirSync(packages)
    .sort()
    .map((folder) => [
      folder,
      JSON.parse(readFileSync(join(packages, folder, 'package.json'), 'utf8')) as PackageManifest,
    ]),
);

/** The packages that people install. The others are private, and written into these. */
export const publishedPackages: ReadonlyMap<string, PackageManifest> = new Map(
  [...allPackages].filter(([, manifest]) => !manifest.private),
);
