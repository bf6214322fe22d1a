import type { SourceLocation } from '@toolwright/manifest';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import type { CallSite } from '../../base/metadata/call-site.js';
import type { Service } from '../classes/service.js';
import type { ClassEntry } from '../manifest/loaded-manifest.js';

/** A service, and what the compiler has seen of it. */
export interface SeenService {
  readonly service: Pick<Service, 'records'>;
  readonly match: ClassEntry;
}

/**
 * Test runners find the places of decorators through source maps, and swc writes no mapping for `@McpService()`: the place
 * is then a line of what it has written. Such a place becomes the one that is in the manifest.
 */
export function withExactPlaces(
  problems: readonly ConfigurationProblem[],
  services: readonly SeenService[],
): ConfigurationProblem[] {
  const exact = new Map(services.flatMap(({ service, match }) => correctionsOf(service, match)));
  return problems.map((problem) => {
    const location = problem.location === undefined ? undefined : exact.get(problem.location);
    return location === undefined ? problem : { ...problem, location };
  });
}

type Correction = [wrong: string, right: string];

function correctionsOf({ records }: SeenService['service'], match: ClassEntry): Correction[] {
  const { directory } = match.manifest;
  if (directory === undefined) return [];
  const correct = (found: readonly { site: CallSite }[], { file, line, column }: SourceLocation) => {
    const source = resolve(directory, file);
    return found.flatMap(({ site }): Correction[] =>
      site.location === undefined || site.file !== source || isAtDecorator(site.location)
        ? []
        : [[site.location, `${source}:${line}:${column}`]],
    );
  };
  return [
    ...correct(records.records, match.definition.location),
    ...records.methods.flatMap((method) => {
      const entry = match.entry(method);
      return entry ? correct(method.records, entry.location) : [];
    }),
  ];
}

/** Whether a decorator is written at a place: `@` is there, or in front of it. */
function isAtDecorator(location: string): boolean {
  const [, file = '', line, column] = /^(.*):(\d+):(\d+)$/.exec(location) ?? [];
  try {
    const text = readFileSync(file, 'utf8').split('\n')[Number(line) - 1] ?? '';
    return text.slice(Math.max(0, Number(column) - 2), Number(column)).includes('@');
  } catch {
    // The file cannot be read, so nothing speaks against the place.
    return true;
  }
}
