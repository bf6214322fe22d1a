import type { ConfigurationError } from '@toolwright/core';
import type { Manifest, ManifestEntry, SourceLocation } from '@toolwright/manifest';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { findHiddenText, groupBy } from '@toolwright/json';
import { writeAtomically } from '../changes/write-atomically.js';
import { withoutHidden } from '../contract/hidden-characters.js';
import type { LintProblem, RuleId } from './lint-problem.js';

/** What can be fixed in a doc comment alone, without a change of code. */
const fixes: Partial<Record<RuleId, (comment: string) => string>> = {
  'hidden-unicode': withoutHidden,
  'returns-missing': tellReturns,
};

/**
 * Fixes what can be fixed without a change of code, and writes the files.
 *
 * @param project absolute path of the tsconfig
 * @returns the problems that were fixed
 */
export async function fixProblems(problems: readonly LintProblem[], project: string): Promise<LintProblem[]> {
  const { rewriteDocComment } = await import('@toolwright/codemod');
  // A problem from run time has its place in a compiled file, and the next build replaces that file.
  const mendable = problems.filter(
    ({ rule, location }) => fixes[rule] && location && /\.[cm]?tsx?$/.test(location.file),
  );
  // From the end of each file, and each comment once, because an added line moves the members after it.
  const places = groupBy(
    mendable,
    ({ location }) => `${location!.file}:${location!.line}:${location!.column}`,
  );
  const groups = [...places.values()].sort(([a], [b]) => b!.location!.line - a!.location!.line);
  return groups.flatMap((group) => {
    const { file, ...place } = group[0]!.location!;
    const path = resolve(dirname(project), file);
    const before = readFileSync(path, 'utf8');
    const mended: LintProblem[] = [];
    const after = rewriteDocComment(before, place, (comment) =>
      group.reduce((now, problem) => {
        const next = fixes[problem.rule]!(now);
        if (next !== now) mended.push(problem);
        return next;
      }, comment),
    );
    if (after !== undefined && after !== before) writeAtomically(path, after, dirname(project));
    return mended;
  });
}

/** Models read the description, but not `@returns`. So its text is repeated at the end of the description. */
export function tellReturns(comment: string): string {
  const lines = comment.split('\n');
  const isTag = (line: string | undefined) => /^\s*\*\s*@/.test(line ?? '');
  const firstTag = lines.findIndex(isTag);
  const at = lines.findIndex((line) => /^\s*\*\s*@returns?\s/.test(line));
  if (at < 0 || !lines.slice(0, firstTag).some((line) => /[\p{L}]/u.test(line))) return comment;
  const next = lines.findIndex((line, index) => index > at && (isTag(line) || /\*\//.test(line)));
  const text = lines
    .slice(at, next)
    .map((line) => line.replace(/^\s*\*\s*(@returns?\s+(\{[^}]*\}\s*)?)?/, '').trim())
    .join(' ')
    .replace(/^-\s*/, '')
    .trim();
  if (text === '') return comment;
  const sentence = `Returns ${/^[A-Z][a-z]/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text}`;
  const lead = /^\s*\*\s?/.exec(lines[at]!)![0];
  const end = /[\r]$/.test(lines[at]!) ? '\r' : '';
  // After the last line with text.
  const last = lines.findLastIndex((line, index) => index < firstTag && /[\p{L}\p{N}]/u.test(line));
  return lines
    .toSpliced(last + 1, 0, `${lead}${/[.!?]$/.test(sentence) ? sentence : `${sentence}.`}${end}`)
    .join('\n');
}

/** Hidden characters in everything that a decorated method publishes, as far as its source shows. */
export function findHiddenInEntry(entry: ManifestEntry, { schemas }: Manifest): LintProblem[] {
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
 * @param known problems from the source
 */
export function findHiddenInProblems(
  { problems }: ConfigurationError,
  known: readonly LintProblem[],
): LintProblem[] {
  return problems
    .filter(
      ({ code, message }) =>
        code === 'TW_TEXT_HIDDEN' && !known.some((problem) => isSameText(problem, message)),
    )
    .map(({ message, location }) => ({
      ...hidden(message),
      ...(location && { location: readLocation(location) }),
    }));
}

const hidden = (message: string) => ({ rule: 'hidden-unicode', severity: 'error', message }) as const;

function isSameText({ tool, message }: LintProblem, text: string): boolean {
  const place = /^hides (U\+\w+) in its (.*)\.$/.exec(message);
  return (
    place !== null &&
    (tool === undefined || text.startsWith(`The tool "${tool}" `)) &&
    text.endsWith(`has the hidden character ${place[1]} in its ${place[2]}.`)
  );
}

/** `file:line:column`, where the path may contain colons. */
function readLocation(location: string): SourceLocation {
  const [, file, line, column] = /^(.*):(\d+):(\d+)$/.exec(location) ?? [];
  return { file: file ?? location, line: Number(line ?? 1), column: Number(column ?? 1) };
}
