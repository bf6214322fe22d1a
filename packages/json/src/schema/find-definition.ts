import { decodeUri } from '../addresses/uri-text.js';
import { fromPointerToken, memberAt } from '../base/json-values.js';
import { isSchema, type JsonSchema } from './json-schema.js';
import { SchemaDocument } from './schema-document.js';

/** The target of a reference within a document, and a name for it in `$defs`. */
export interface FoundDefinition {
  readonly name: string;
  readonly schema: JsonSchema;
}

/**
 * Finds the target of a reference to the document itself: a JSON Pointer, or the name of an anchor.
 *
 * @returns undefined for `#`, which is the whole document, and for a reference to nothing
 */
export function findDefinition(root: JsonSchema, reference: string): FoundDefinition | undefined {
  if (!reference.startsWith('#') || reference === '#' || reference === '#/') return undefined;
  if (!reference.startsWith('#/')) {
    const document = SchemaDocument.of(root);
    const schema = document.resolve(reference, document.main)?.schema;
    return isSchema(schema) ? { name: reference.slice(1), schema } : undefined;
  }
  const path = stepsOf(reference);
  const found = memberAt(root, path);
  const isNamed = path.length === 2 && (path[0] === 'definitions' || path[0] === '$defs');
  return isSchema(found) ? { name: isNamed ? path[1]! : path.join('.'), schema: found } : undefined;
}

/** Whether a reference within the document has a target. `true` is a schema as well. */
export function leadsSomewhere(root: JsonSchema, reference: string): boolean {
  if (reference === '#' || findDefinition(root, reference)) return true;
  return reference.startsWith('#/') && typeof memberAt(root, stepsOf(reference)) === 'boolean';
}

function stepsOf(pointer: string): string[] {
  return pointer
    .slice(2)
    .split('/')
    .map((step) => fromPointerToken(decodeUri(step)));
}
