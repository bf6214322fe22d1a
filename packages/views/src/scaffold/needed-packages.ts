import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ViewKind } from '../build/tool-view.js';

interface PackageJson {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const needs: Record<ViewKind, readonly string[]> = {
  plain: [],
  preact: ['preact'],
  react: ['react', 'react-dom', '@types/react', '@types/react-dom'],
};

/** The library that a project has. A project with neither gets the smaller one. */
export function libraryOf(root: string): Exclude<ViewKind, 'plain'> {
  const { dependencies, devDependencies } = readPackage(join(root, 'package.json')) ?? {};
  const all = { ...dependencies, ...devDependencies };
  return all['react'] !== undefined && all['preact'] === undefined ? 'react' : 'preact';
}

/**
 * Adds what a view is built with to the development dependencies of a project, in the versions that this package is tested
 * with. Production needs none of it.
 *
 * @returns undefined if all is there, or if there is no `package.json`
 */
export function addPackages(
  root: string,
  { as, more }: { as: ViewKind; more: readonly string[] },
): { path: string; before: string; after: string; added: readonly string[] } | undefined {
  const path = join(root, 'package.json');
  const own = readPackage(join(__dirname, '../../package.json'))!;
  const project = readPackage(path);
  if (!project) return undefined;
  const wanted = ['@toolwright/views', 'vite', ...needs[as], ...more];
  const added = wanted.filter((name) => !project.dependencies?.[name] && !project.devDependencies?.[name]);
  if (added.length === 0) return undefined;
  const versions = added.map((name) => [name, own.devDependencies![name] ?? own.version] as const);
  const all = Object.entries({ ...project.devDependencies, ...Object.fromEntries(versions) });
  const devDependencies = Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
  const before = readFileSync(path, 'utf8');
  const indent = /^([ \t]+)"/m.exec(before)?.[1] ?? '  ';
  const end = before.endsWith('\n') ? '\n' : '';
  return { path, before, after: JSON.stringify({ ...project, devDependencies }, null, indent) + end, added };
}

function readPackage(path: string): PackageJson | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as PackageJson) : undefined;
}
