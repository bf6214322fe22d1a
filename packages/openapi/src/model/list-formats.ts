import { isObject } from '../read/specification.js';
import type { ParameterStyle } from './planned-operation.js';

/**
 * How a list of version 2.0 is written, where version 3 has no word for it. The converter of documents keeps it under this
 * name, and people who convert their documents have it there, too.
 */
export const LIST_FORMAT = 'x-collectionFormat';

/** The format that a parameter, or the member of a form, has. */
export function listFormatOf(node: unknown): string | undefined {
  const format = isObject(node) ? (node as Readonly<Record<string, unknown>>)[LIST_FORMAT] : undefined;
  return typeof format === 'string' ? format : undefined;
}

/** The formats of lists in forms that can be sent. */
export const formStyles: Readonly<Record<string, ParameterStyle>> = {
  csv: 'commaSeparated',
  ssv: 'spaceDelimited',
  pipes: 'pipeDelimited',
  multi: 'form',
};
