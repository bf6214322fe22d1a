import type {
  ApiOperation,
  MediaType,
  Parameter,
  PathItem,
  RequestBody,
  Schema,
} from '../read/openapi-document.js';
import type { ChosenOperation } from './select-operations.js';
import { isObject, isReference, type Specification } from '../read/specification.js';
import { formStyles, listFormatOf } from './list-formats.js';
import { mergeAllOf } from './schema-facts.js';

/** Members of a path in version 3.2 that are operations, too. */
interface NewPathItem {
  readonly query?: unknown;
  readonly additionalOperations?: Record<string, unknown>;
}

/** Operations with methods that version 3.2 added: they are named in the report and become no tools. */
export function newOperations(path: string, item: PathItem): ChosenOperation[] {
  const { query, additionalOperations: more = {} } = item as NewPathItem;
  const all = Object.entries({ ...(query !== undefined && { QUERY: query }), ...(isObject(more) && more) });
  return all.map(([method, operation]) => {
    const { operationId, tags } = (operation ?? {}) as ApiOperation;
    return {
      key: `${method} ${path}`,
      operationId,
      path,
      deprecated: false,
      binary: false,
      tags: Array.isArray(tags) ? tags.map(String) : [],
      unsupported: `the method ${method} of OpenAPI 3.2 is not supported`,
    };
  });
}

interface Unplanned {
  readonly method: string;
  readonly operation: ApiOperation;
  readonly parameters: readonly Parameter[];
}

/**
 * Why an operation can become no tool: `fetch` does not send it, or it has something new of version 3.2, so that its tool would
 * send or read something else; undefined if it can.
 */
export function unsupportedPart(
  specification: Specification,
  { method, operation, parameters }: Unplanned,
): string | undefined {
  // The fetch standard forbids it, because it shows credentials to scripts.
  if (method === 'trace') return 'no request with TRACE can be sent';
  const { required, content = {} } = specification.resolve<RequestBody>(operation.requestBody).value;
  if (required === true && (method === 'get' || method === 'head'))
    return `its body is required, and no ${method.toUpperCase()} can be sent with one`;
  if (parameters.some(({ style }) => style === 'cookie'))
    return 'a parameter with the style "cookie" of OpenAPI 3.2 is not supported';
  if (parameters.some(({ in: place }) => (place as string) === 'querystring'))
    return 'a parameter in "querystring" of OpenAPI 3.2 is not supported';
  const media = Object.values(content).filter(isObject) as (MediaType & { itemSchema?: unknown })[];
  if (media.some((each) => each.schema === undefined && each.itemSchema !== undefined))
    return 'a body with "itemSchema" of OpenAPI 3.2 is not supported';
  if (media.some(isReference)) return 'a body by reference of OpenAPI 3.2 is not supported';
  const lost = [
    ...parameters.map((each) => ({ format: listFormatOf(each), name: each.name })),
    ...media.flatMap(({ schema }) => formatsIn(specification, schema)),
  ].find(({ format }) => format !== undefined);
  return (
    lost && `the list ${JSON.stringify(lost.name)} is written as "${lost.format}", which is not supported`
  );
}

/** The formats of the lists in a form that cannot be sent. */
function formatsIn(specification: Specification, schema: MediaType['schema']) {
  const { properties = {} } = mergeAllOf(specification, specification.resolve<Schema>(schema).value);
  return Object.entries(properties)
    .map(([name, each]) => ({ name, format: listFormatOf(each) }))
    .filter(({ format }) => format !== undefined && !Object.hasOwn(formStyles, format));
}
