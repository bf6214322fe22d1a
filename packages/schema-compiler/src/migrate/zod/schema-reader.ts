import type { ts } from 'typescript-json-schema';
import type { Properties, Shape } from './shape.js';

/** What the parts of a schema are read with. */
export interface SchemaReader {
  readonly checker: ts.TypeChecker;
  /** @throws {Refusal} a type with doc tags cannot say it */
  read(node: ts.Expression): Shape;
  /** @throws {Refusal} a type with doc tags cannot say them */
  readProperties(node: ts.Expression): Properties;
  /** For the name of a `const`, what it is set to. */
  valueOf(node: ts.Expression): ts.Expression;
}
