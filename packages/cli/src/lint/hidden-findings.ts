import type { ConfigurationError } from '@toolwright/core';
import { findHiddenText } from '@toolwright/core/checks';
import type { Manifest, ManifestEntry, SourceLocation } from '@toolwright/manifest';
import type { Finding } from './finding.js';

/** Hidden characters in everything that a decorated method publishes, as far as its source shows. */
export function findHiddenInEntry(entry: ManifestEntry, { schemas }: Manifest): Finding[] {
  const { name, method, title, description, examples, location, kinds } = entry;
  const published = {
    name,
    title,
    description,
    examples,
    inputSchema: schemas[entry.input],
    outputSchema: entry.output === null ? undefined : schemas[entry.output],
  };
  const tool = kinds.includes('tool') ? { tool: name ?? method } : {};
  return findHiddenText(published).map(({ place, character }) => ({
    ...hidden(`hides ${character} in its ${place}.`),
    ...tool,
    location,
  }));
}

/**
 * Hidden characters that exist only at run time: in annotations, icons, `_meta`, URIs. A server that would
 * publish them does not start, and its error names them.
 *
 * @param told findings from the source
 */
export function findHiddenInProblems({ problems }: ConfigurationError, told: readonly Finding[]): Finding[] {
  return problems
    .filter(
      ({ code, message }) => code === 'TW_TEXT_HIDDEN' && !told.some((finding) => isTold(finding, message)),
    )
    .map(({ message, location }) => ({
      ...hidden(message),
      ...(location && { location: readLocation(location) }),
    }));
}

const hidden = (message: string) => ({ rule: 'hidden-unicode', severity: 'error', message }) as const;

function isTold({ tool, message }: Finding, problem: string): boolean {
  const place = /^hides (U\+\w+) in its (.*)\.$/.exec(message);
  return (
    place !== null &&
    (tool === undefined || problem.startsWith(`The tool "${tool}" `)) &&
    problem.endsWith(`has the hidden character ${place[1]} in its ${place[2]}.`)
  );
}

/** `file:line:column`, where the path may contain colons. */
function readLocation(location: string): SourceLocation {
  const [, file, line, column] = /^(.*):(\d+):(\d+)$/.exec(location) ?? [];
  return { file: file ?? location, line: Number(line ?? 1), column: Number(column ?? 1) };
}
