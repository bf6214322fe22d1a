import { ConfigurationError } from '@toolwright/core';
import type { ApiPlan } from '../model/plan-operations.js';

const EXAMPLES = 5;

/**
 * Refuses a choice that has no tools. A pattern that matches nothing is refused, too: it is misspelt, or the API does not have
 * the operation any more, and a server would start without a tool that somebody counts on.
 *
 * @throws {ConfigurationError} that names each pattern, and some operations
 */
export function requireOperations(
  plan: ApiPlan,
  source: string,
  include: readonly string[] | undefined,
): void {
  const { unmatched, operations, skipped, total } = plan;
  const known = [
    ...operations.map(({ operationId, key }) => operationId ?? key),
    ...skipped.map(({ operation }) => operation),
  ];
  const fix =
    total === 0
      ? 'Name a specification that has paths.'
      : `A pattern is an operationId, a METHOD /path, a path or a tag, and * is any text. There are ${total} operations, such as ${known.slice(0, EXAMPLES).join(', ')}.`;
  const problem = (message: string) => ({ code: 'TW_OPENAPI_INCLUDE' as const, message, fix });
  const problems = unmatched.map((pattern) =>
    problem(`The pattern "${pattern}" matches no operation of ${source}.`),
  );
  if (include?.length === 0)
    problems.push(problem(`The list "include" is empty, so it chooses no operation of ${source}.`));
  if (problems.length === 0 && operations.length === 0) problems.push(problem(nothingLeft(plan, source)));
  if (problems.length > 0) throw new ConfigurationError(problems);
}

function nothingLeft({ skipped, total }: ApiPlan, source: string): string {
  if (total === 0) return `${source} has no operation.`;
  const reasons = [...new Set(skipped.map(({ reason }) => reason))].join('; ');
  return `No operation of ${source} is left (${reasons}).`;
}
