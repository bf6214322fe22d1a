import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { BuildStep, BuiltProject, Manifest } from '@toolwright/manifest';
import { ProjectError } from '../diagnostics/diagnostic.js';

/** The build steps of the packages that a project depends on: of the packages that have an entry `./build-step`. */
export function findBuildSteps(root: string): BuildStep[] {
  const { resolve } = createRequire(join(root, 'package.json'));
  return dependenciesOf(root).flatMap((name) => {
    let path: string;
    try {
      path = resolve(`${name}/build-step`);
    } catch {
      // It has none, as nearly every package.
      return [];
    }
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- its path is only known now
    const { buildStep } = require(path) as { buildStep?: BuildStep };
    return buildStep ? [buildStep] : [];
  });
}

/** The manifest with the fields of the packages that the project depends on. */
export function withPackageFields(root: string, manifest: Manifest): Manifest {
  const fields = fieldsOf('manifest', { root, manifest });
  return fields ? { ...manifest, extensions: fields } : manifest;
}

/** What the packages that a project depends on add to its lock; `undefined` when they add nothing. */
export function lockFields(project: BuiltProject): Record<string, unknown> | undefined {
  return fieldsOf('lock', project);
}

function fieldsOf(what: 'manifest' | 'lock', project: BuiltProject): Record<string, unknown> | undefined {
  const fields = findBuildSteps(project.root).flatMap((step) => {
    const value = valueOf(step, what, project);
    return value === undefined ? [] : [[step.name, value] as const];
  });
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}

/** The value as JSON would give it back. */
function valueOf(step: BuildStep, what: 'manifest' | 'lock', project: BuiltProject): unknown {
  try {
    const value = step[what]?.(project);
    return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
  } catch (error) {
    throw new ProjectError(`The build step of ${step.name} failed: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** The dependencies in the nearest `package.json`. */
function dependenciesOf(folder: string): string[] {
  try {
    const text = readFileSync(join(folder, 'package.json'), 'utf8');
    const { dependencies = {} } = JSON.parse(text) as { dependencies?: object };
    return Object.keys(dependencies);
  } catch {
    const above = dirname(folder);
    return above === folder ? [] : dependenciesOf(above);
  }
}
