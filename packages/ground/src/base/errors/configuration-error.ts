import type { SourceMapPayload } from 'node:module';
import { codeOf, isError, reasonOf, writeOut } from '@toolwright/json';
import type { ErrorCode } from './catalogue.js';
import { ToolwrightError, isToolwrightError } from './errors.js';

/** One problem in the server's set-up. */
export interface ConfigurationProblem {
  code: ErrorCode;
  message: string;
  /** An instruction that says how to solve it. */
  fix: string;
  /** The place of the decorator or option as `file:line:column`, if it is known. */
  location?: string;
  /**
   * What the server lacks, where the code itself is right: an option of `createMcpServer`, or what a package or a provider
   * of an application adds. A stand-in for the server of an application leaves the part out, and goes on.
   */
  lacks?: string;
}

/** Hears what a stand-in for the server of an application leaves out. */
export type ReportUnmet = (problem: ConfigurationProblem) => void;

/**
 * The problems that stop a server.
 *
 * @param unmet hears what only the server of the application can have
 */
export function stoppingProblems(
  problems: readonly ConfigurationProblem[],
  unmet: ReportUnmet,
): readonly ConfigurationProblem[] {
  problems.filter(({ lacks }) => lacks !== undefined).forEach(unmet);
  return problems.filter(({ lacks }) => lacks === undefined);
}

/**
 * Thrown at boot, and by methods that change a running server. It lists every problem, not only the first
 * one, each with its place and its fix.
 */
export class ConfigurationError extends ToolwrightError {
  readonly code = 'TW_CONFIGURATION';

  declare readonly problems: readonly ConfigurationProblem[];

  constructor(found: ConfigurationProblem | readonly ConfigurationProblem[], options?: ErrorOptions) {
    const problems = [found].flat();
    super(describe(problems), options);
    // The message contains all problems. If this were an ordinary property, Node.js would print them a second
    // time.
    Object.defineProperty(this, 'problems', { value: problems });
    // Node.js prints the stack of an error that nobody caught, and our own code explains no mistake of an application.
    this.stack = [`${this.name}: ${this.message}`, ...ownFrames(this)].join('\n');
  }
}

/** The same problems. A problem without a place gets this one. */
export function problemsAt(error: ConfigurationError, location: string | undefined): ConfigurationProblem[] {
  return error.problems.map((problem) => ({ ...(location && { location }), ...problem }));
}

/** The package carries its guides, so that this works without a network, and for coding agents. */
const explained = 'node_modules/@toolwright/core/docs/errors.md explains each code.';

function describe(problems: readonly ConfigurationProblem[]): string {
  const heading =
    problems.length === 1
      ? 'The configuration has a problem:'
      : `The configuration has ${problems.length} problems:`;
  const items = problems.map(
    ({ code, message, fix, location }) =>
      `  ${location ? `${sourcePlace(location)}: ` : ''}${code}: ${message}\n    ${fix}`,
  );
  return [heading, ...items, explained].join('\n');
}

/**
 * The place in the source of a place in what was compiled, by the map beside the file. Node.js itself reads maps only with
 * `--enable-source-maps`, which people forget who start a program by hand.
 *
 * @param place `file:line:column`
 */
export function sourcePlace(place: string): string {
  const [, file, line, column] = /^(.*\.[cm]?js):(\d+):(\d+)$/.exec(place) ?? [];
  if (file === undefined) return place;
  try {
    // Errors alone need these modules, and not every runtime has them.
    const { readFileSync } = process.getBuiltinModule('node:fs');
    const { SourceMap } = process.getBuiltinModule('node:module');
    const { resolve } = process.getBuiltinModule('node:path');
    const map = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload;
    const found = new SourceMap(map).findEntry(Number(line) - 1, Number(column) - 1);
    if (!('originalSource' in found)) return place;
    const source = resolve(file, '..', map.sourceRoot ?? '', found.originalSource);
    return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`;
  } catch {
    return place;
  }
}

/** How many causes of an error are shown. */
const MOST = 5;
/** Parts of a stack that are not code of the application. */
const FOREIGN = /\(?(?:node:|native\b)|[\\/]node_modules[\\/]|@toolwright[\\/]/;

/** What to do about errors of the system that name no remedy. */
const remedies: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens there: start it, or correct the address.',
  ENOTFOUND: 'No machine has this name: correct the address.',
  EAI_AGAIN: 'The name could not be looked up: is there a network?',
  ETIMEDOUT: 'Nobody answered in time: is it running, and may this machine reach it?',
};

/**
 * Prints on standard error why a program could not start, and ends the process with code 1. It prints the error and its
 * causes, for each the first places in the code of the application, and what to do about errors of the system.
 *
 * @example
 * main().catch(failStart);
 */
export function failStart(error: unknown): never {
  writeOut(process.stderr, `${describeFailedStart(error)}\n`);
  process.exit(1);
}

/** An error for the person who starts an application: with its causes and places, without the stack of Node.js and of ours. */
export function describeFailedStart(error: unknown, depth = 0): string {
  if (!isError(error)) return String(error);
  const lines = [`${titleOf(error)}${reasonOf(error)}`, ...placesOf(error)];
  const remedy = remedies[codeOf(error) ?? ''];
  if (remedy !== undefined) lines.push(remedy);
  if (error.cause !== undefined && depth < MOST)
    lines.push(`Cause: ${describeFailedStart(error.cause, depth + 1)}`);
  return lines.join('\n');
}

/** An error with a code explains itself. Any other one begins with the name of its class, which says where it comes from. */
const titleOf = (error: Error): string => (codeOf(error) === undefined ? `${error.name}: ` : '');

/** The first places of its stack that are code of the application. An error of ours names its place itself. */
function placesOf(error: Error): string[] {
  return isToolwrightError(error) ? [] : ownFrames(error);
}

function ownFrames(error: Error): string[] {
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return frames
    .filter((line) => !FOREIGN.test(line))
    .slice(0, 3)
    .map(inSource);
}

/** A line of a stack, with its place in the source: `at name (file:line:column)`, or `at file:line:column`. */
function inSource(frame: string): string {
  const isNamed = frame.endsWith(')');
  const start = isNamed ? frame.lastIndexOf('(') + 1 : frame.indexOf('at ') + 3;
  const end = isNamed ? frame.length - 1 : frame.length;
  const place = frame.slice(start, end).replace(/^file:\/\//, '');
  return `${frame.slice(0, start)}${sourcePlace(place)}${frame.slice(end)}`;
}
