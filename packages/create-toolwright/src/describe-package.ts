import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppOptions } from './app-options.js';

/** The version of this package. All packages of Toolwright have the same version. */
export function ownVersion(): string {
  const text = readFileSync(join(__dirname, '../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** The `package.json` of an app. */
export function describePackage(name: string, { transport, db, test, module }: AppOptions): object {
  const version = ownVersion();
  return {
    name,
    version: '0.1.0',
    private: true,
    type: module === 'esm' ? 'module' : 'commonjs',
    engines: { node: '>=20.19' },
    // What a package, a bundle and an image have. Without it npm would leave out what .gitignore names.
    files: ['dist', '!dist/**/*.test.*', 'mcp.manifest.json'],
    scripts: {
      build: 'tsc && toolwright build',
      dev: 'toolwright dev',
      start: 'node --enable-source-maps dist/main.js',
      test: `npm run build && ${testCommands[test]}`,
    },
    dependencies: {
      ...(db === 'pglite' && { '@electric-sql/pglite': '0.5.16' }),
      '@toolwright/core': version,
      ...(transport !== 'stdio' && { '@toolwright/http': version }),
      ...(transport !== 'http' && { '@toolwright/stdio': version }),
      'class-transformer': '0.5.1',
      'class-validator': '0.15.1',
    },
    devDependencies: {
      '@toolwright/cli': version,
      '@toolwright/testing': version,
      '@types/node': '20.19.43',
      ...testPackages[test],
      typescript: '5.9.3',
    },
  };
}

const testCommands: Record<AppOptions['test'], string> = {
  node: 'node --test dist/*.test.js',
  vitest: 'vitest run',
  jest: 'jest',
};

const testPackages: Record<AppOptions['test'], Record<string, string>> = {
  node: {},
  // Vitest 5 needs Node.js 22.12.
  vitest: { vitest: '4.1.12' },
  jest: { '@swc/core': '1.16.22', '@swc/jest': '0.2.39', '@types/jest': '30.0.0', jest: '30.5.2' },
};
