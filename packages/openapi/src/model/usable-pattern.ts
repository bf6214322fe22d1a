import { findPatternProblems } from '@toolwright/core/checks';
import { cutText } from '@toolwright/json';
import { isHidden } from '../read/shape-values.js';

/** A longer pattern costs a model more than it says. */
const LONGEST = 120;

/**
 * A pattern as a server can check it: a regular expression of Unicode, which takes a time that grows evenly. The API checks
 * the value, too, so another one is left out, and `undefined` here.
 */
export function usablePattern(pattern: string | undefined): string | undefined {
  if (pattern === undefined || isHidden(pattern)) return undefined;
  const unicode = unicodePattern(pattern);
  if (unicode.length > LONGEST || /[\n\r]|\*\//.test(unicode) || !isRegExp(unicode)) return undefined;
  return findPatternProblems({ type: 'string', pattern: unicode }).length === 0 ? unicode : undefined;
}

/** A line about the patterns that are left out. */
export function noteOnPatterns(lost: ReadonlySet<string>): string[] {
  if (lost.size === 0) return [];
  const shown = [...lost].slice(0, 3).map((pattern) => JSON.stringify(cutText(pattern, LONGEST, '…')));
  const more = lost.size > shown.length ? ` and ${lost.size - shown.length} more` : '';
  return [
    `Left to the API: the patterns ${shown.join(', ')}${more}. They are long, slow or no regular expressions of Unicode.`,
  ];
}

/**
 * A pattern as it is written with the flag `u`, which JSON Schema has. Without the flag, each character may have a backslash
 * before it, and a class such as `[\\w-.]` has a bare dash.
 */
function unicodePattern(pattern: string): string {
  if (isRegExp(pattern)) return pattern;
  const changed = pattern
    .replace(/\\([^\w\s^$\\.*+?()[\]{}|/-])/g, '$1')
    .replace(/(\\[wds])-(?=[^\]])/gi, '$1\\-');
  return isRegExp(changed) ? changed : pattern;
}

function isRegExp(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
