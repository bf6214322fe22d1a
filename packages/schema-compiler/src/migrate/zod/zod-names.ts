import { ts } from 'typescript-json-schema';
import { exportedName } from '../sdk-server.js';

/** Whether a name in a source is zod itself, whichever way the file imports it, also through another module. */
export function isZod(node: ts.Expression, checker: ts.TypeChecker): boolean {
  return ts.isIdentifier(node) && exportedName(node, /^zod(\/v[34])?$/, checker) !== undefined;
}
