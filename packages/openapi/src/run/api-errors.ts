import { ToolError } from '@toolwright/core';
import { cutText, replaceHidden } from '@toolwright/core/extend';
import type { OpenApiErrorCode } from '../read/specification-error.js';

/** The longest text of an API that a model reads. */
const LONGEST = 500;

/** An error whose text the model reads. */
export function apiError(
  code: OpenApiErrorCode,
  message: string,
  meta?: Record<string, unknown>,
  cause?: unknown,
): ToolError {
  return new ToolError(message, { code, ...(meta && { meta }), ...(cause !== undefined && { cause }) });
}

/** What an API said about a failure, with its status. */
export function failedAnswer(request: string, { status, statusText }: Response, text: string): ToolError {
  const said = messageIn(text);
  const head = `${request} answered ${status}${statusText ? ` ${statusText}` : ''}`;
  return apiError('TW_OPENAPI_RESPONSE', said === '' ? `${head}.` : `${head}: ${said}`, { status });
}

const MEMBERS = [
  'message',
  'error_description',
  'detail',
  'errorMessage',
  'reason',
  'title',
  'error',
  'errors',
  'errorMessages',
];

/** The API's own message: the member that usually has it, or the beginning of a plain text. */
function messageIn(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // A page of HTML explains nothing to a model.
    return /^\s*</.test(text) ? '' : clean(text);
  }
  return clean(find(value, 0) ?? '');
}

function find(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth > 3) return undefined;
  if (Array.isArray(value)) {
    const all = value.slice(0, 5).flatMap((each) => find(each, depth + 1) ?? []);
    return all.length > 0 ? all.join('; ') : undefined;
  }
  for (const member of MEMBERS) {
    const found = find((value as Record<string, unknown>)[member], depth + 1);
    if (found !== undefined && found !== '') return found;
  }
  return undefined;
}

/** One line in which nothing hides. */
export function clean(text: string): string {
  const line = replaceHidden(text, () => ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return cutText(line, LONGEST, '…');
}
