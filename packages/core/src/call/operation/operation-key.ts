import type { BoundOperation } from './operation.js';

/** The part of an operation that tells it apart from others. */
export type Identified = Pick<BoundOperation, 'kind' | 'name'> & {
  readonly uri?: string;
  readonly uriTemplate?: string;
};

/**
 * What is unique among the operations of one kind: a URI, a URI template, or a name. Two resources may have
 * the same name.
 */
export function addressOf({ name, uri, uriTemplate }: Identified): string {
  return uri ?? uriTemplate ?? name;
}

/**
 * What is unique among all operations of a server. Everything that is kept by operation is kept under this
 * key.
 */
export function operationKey(operation: Identified): string {
  return `${operation.kind} ${addressOf(operation)}`;
}
