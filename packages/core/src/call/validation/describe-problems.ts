import { pointerTokens } from '../../base/json-pointer.js';
import type { Problem } from './problem.js';

/** Enough for all mistakes of a model in one call. A longer list helps nobody. */
const most = 20;
const longestText = 4_000;
const longestValue = 80;

/** All problems in one text of limited length, one line each: `path: expected …, received …`. */
export function describeProblems(problems: readonly Problem[]): string {
  const lines: string[] = [];
  let length = 0;
  for (const problem of problems.slice(0, most)) {
    const line = describeProblem(problem);
    length += line.length;
    if (length > longestText) break;
    lines.push(line);
  }
  const left = problems.length - lines.length;
  if (left > 0) lines.push(`… and ${left} more.`);
  return lines.join('\n');
}

function describeProblem({ pointer, expected, received, isSentence }: Problem): string {
  const isWhole = isSentence === true || /^(required|not a|no )/.test(expected);
  const words = isWhole ? expected : `expected ${expected}`;
  const given = received ? ` ${describeValue(received.value)}` : '';
  const joint = /[.!?]$/.test(words) ? ' Received' : ', received';
  return `- ${readablePath(pointer)}: ${words}${given && `${joint}${given}`}`;
}

/** Writes `/items/0/name` as authors do: `items[0].name`. */
export function readablePath(pointer: string): string {
  const path = pointerTokens(pointer)
    .map((token) => (/^\d+$/.test(token) ? `[${token}]` : `.${token.slice(0, longestValue)}`))
    .join('');
  return path.replace(/^\./, '').slice(0, 200) || 'arguments';
}

function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length} item${value.length === 1 ? '' : 's'}`;
  switch (typeof value) {
    case 'undefined':
      return 'nothing';
    case 'string':
      return value.length > longestValue
        ? `a string of ${value.length} characters: ${JSON.stringify(value.slice(0, longestValue))}…`
        : `the string ${JSON.stringify(value)}`;
    case 'object':
      return 'an object';
    default:
      return `the ${typeof value} ${String(value)}`;
  }
}
