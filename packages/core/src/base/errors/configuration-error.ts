import type { ErrorCode } from './catalogue.js';
import { ToolwrightError } from './toolwright-error.js';

/** One thing that is wrong with the server's set-up. */
export interface ConfigurationProblem {
  code: ErrorCode;
  message: string;
  /** What to do about it, as an instruction. */
  fix: string;
  /** `file:line:column` of the decorator or option, where known. */
  location?: string;
}

/** Thrown at boot, and by what changes a running server. Lists every problem found, not just the first, each with its place and its fix. */
export class ConfigurationError extends ToolwrightError {
  readonly code = 'TW_CONFIGURATION';

  declare readonly problems: readonly ConfigurationProblem[];

  constructor(problems: readonly ConfigurationProblem[], options?: ErrorOptions) {
    super(describe(problems), options);
    // The message says it all: Node.js would print it a second time.
    Object.defineProperty(this, 'problems', { value: problems });
  }
}

/** The same problems, at a place for those that have none. */
export function problemsAt(error: ConfigurationError, location: string | undefined): ConfigurationProblem[] {
  return error.problems.map((problem) => ({ ...(location && { location }), ...problem }));
}

function describe(problems: readonly ConfigurationProblem[]): string {
  const heading =
    problems.length === 1
      ? 'The configuration has a problem:'
      : `The configuration has ${problems.length} problems:`;
  const items = problems.map(
    ({ code, message, fix, location }) =>
      `  ${location ? `${location}: ` : ''}${code}: ${message}\n    ${fix}`,
  );
  return [heading, ...items].join('\n');
}
