import type { ApiOperation, Parameter, ServerObject } from '../read/openapi-document.js';
import { shown } from '../read/shape-values.js';
import { placesOf } from './path-places.js';
import { placeOfOperation } from './require-sound.js';
import { ownAddress } from './servers.js';

interface Noted {
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
  readonly parameters: readonly Parameter[];
  readonly servers: readonly ServerObject[] | undefined;
}

/** A body of a request that only reads means nothing (RFC 9110, 9.3.1), and cannot be sent with fetch. */
export const isReading = (method: string) => method === 'GET' || method === 'HEAD';

/** Returns a line for each part of an operation that its tool leaves out or changes. The command prints them. */
export function notesOn(
  { method, path, operation, parameters, servers }: Noted,
  ofDocument: readonly ServerObject[] | undefined,
): string[] {
  const at = placeOfOperation({ method, path });
  const places = placesOf(path).flatMap(({ written, name }) => [written, name]);
  const strangers = parameters.filter((each) => each.in === 'path' && !places.includes(each.name ?? ''));
  const { unusable } = ownAddress(servers, ofDocument);
  return [
    ...(operation.requestBody !== undefined && isReading(method)
      ? [`${at}/requestBody is left out: a request that only reads has no body.`]
      : []),
    ...strangers.map(
      ({ name }) => `${at} has a parameter ${shown(name)} that its path does not have. It is left out.`,
    ),
    ...(unusable === undefined
      ? []
      : [`${at} is at ${shown(unusable)}, where nothing can be sent. It is sent to the address of the API.`]),
  ];
}
