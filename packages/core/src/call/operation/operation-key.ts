import type { BoundOperation } from './operation.js';

/** As much of an operation as tells it apart from others. */
export type Identified = Pick<BoundOperation, 'kind' | 'name'> & {
  readonly uri?: string;
  readonly uriTemplate?: string;
};

/** What no two operations of one kind share: a URI, a URI template, or a name. Resources may have equal names. */
export function addressOf({ name, uri, uriTemplate }: Identified): string {
  return uri ?? uriTemplate ?? name;
}

/** What no two operations of a server share. Whatever is kept by operation is kept under this. */
export function operationKey(operation: Identified): string {
  return `${operation.kind} ${addressOf(operation)}`;
}
