import { type Manifest, MANIFEST_FILE, MANIFEST_PROVIDER } from '@toolwright/manifest';
import type { SchemaDiagnostic } from '@toolwright/schema-compiler';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getOrMake } from '@toolwright/json';

/** Every test file has its own global object. */
(globalThis as Record<symbol, unknown>)[MANIFEST_PROVIDER] = compilePackage;

/** Of these files, the first that includes the tests decides what is compiled. */
const configFiles = ['tsconfig.test.json', 'tsconfig.spec.json', 'tsconfig.json'];

type Compiler = typeof import('@toolwright/schema-compiler');

const compiled = new Map<string, Promise<Manifest | undefined>>();

/**
 * Compiles the manifest of a package, tests included. It does so once per test file, through the compiler's
 * cache. Signatures that cannot be represented are printed with file, line and fix. Only the tests that serve
 * them fail.
 *
 * @param directory the directory of the package, as `createMcpServer` asks for it
 * @returns undefined for a package without its own sources: such a package brings a manifest file
 */
export function compilePackage(directory: string): Promise<Manifest | undefined> {
  return getOrMake(compiled, directory, () => compile(directory));
}

async function compile(directory: string): Promise<Manifest | undefined> {
  if (/[\\/]node_modules[\\/]/.test(directory)) return undefined;
  const project = configFiles.map((name) => join(directory, name)).find((path) => existsSync(path));
  if (!project) return undefined;
  // Jest cannot run the `import()` of a compiled package.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { buildManifest, formatDiagnostic } = require('@toolwright/schema-compiler') as Compiler;
  const { manifest, diagnostics } = await buildManifest({ project });
  for (const diagnostic of diagnostics.filter(isReported))
    process.stderr.write(`${formatDiagnostic(diagnostic)}\n`);
  return withBuiltViews(manifest, directory);
}

const VIEWS = '@toolwright/views';

/** Pages of views are not built for tests. If `toolwright build` has built some before, tests get them. */
function withBuiltViews(manifest: Manifest, directory: string): Manifest {
  const file = join(directory, MANIFEST_FILE);
  if (!existsSync(file) || !existsSync(file.replace('.manifest.', '.views.'))) return manifest;
  const { extensions } = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  const views = extensions?.[VIEWS];
  return views === undefined
    ? manifest
    : { ...manifest, extensions: { ...manifest.extensions, [VIEWS]: views } };
}

/** Two tests may use the same tool name. A server that gets both will report it. */
function isReported({ severity, code }: SchemaDiagnostic): boolean {
  return severity === 'error' && code !== 'TW_SCHEMA_DUPLICATE_NAME';
}
