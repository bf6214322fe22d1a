import { writeOut } from '../process-streams.js';
import { sourcePlace } from './configuration-error.js';
import { isToolwrightError } from './errors.js';

/** How many causes, and how many errors that happened together, are shown of each error. */
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

/** The message of an error. One that gathers others may have none: then theirs. */
export function reasonOf(error: unknown): string {
  if (!isError(error)) return String(error);
  if (error.message !== '') return error.message;
  const gathered = gatheredIn(error);
  if (gathered.length > 0) return [...new Set(gathered.map(reasonOf))].join('; ');
  return codeOf(error) ?? error.name;
}

/** An error with a code explains itself. Any other one begins with the name of its class, which says where it comes from. */
const titleOf = (error: Error): string => (codeOf(error) === undefined ? `${error.name}: ` : '');

function codeOf(error: unknown): string | undefined {
  if (!isError(error)) return undefined;
  return typeof error.code === 'string' ? error.code : codeOf(gatheredIn(error)[0]);
}

const gatheredIn = ({ errors }: ErrorLike): readonly unknown[] =>
  Array.isArray(errors) ? errors.slice(0, MOST) : [];

interface ErrorLike extends Error {
  readonly code?: unknown;
  readonly errors?: unknown;
}

/** Not by its class: an error may come from another realm. */
const isError = (error: unknown): error is ErrorLike =>
  typeof error === 'object' && error !== null && 'message' in error && 'stack' in error;

/** The first places of its stack that are code of the application. An error of ours names its place itself. */
function placesOf(error: Error): string[] {
  if (isToolwrightError(error)) return [];
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return frames
    .filter((line) => !FOREIGN.test(line))
    .slice(0, 3)
    .map((line) =>
      line.replace(/(?:file:\/\/)?(\/[^()]*:\d+:\d+)/, (_, place: string) => sourcePlace(place)),
    );
}
