import { ts } from '@toolwright/schema-compiler/project';
import { bare, nameOf, valueOf } from '../constants.js';
import { ConversionProblem } from '../migration.js';
import { exportedName } from '../sdk-server.js';
import { type SchemaReader, readBase, readFormat, noCounterpart } from './read-base.js';
import { readStep } from './read-step.js';
import type { Properties, Shape } from './shape.js';

/** Reads schemas of zod from a source. It never runs them. */
export class ZodReader implements SchemaReader {
  /** What converts other values. A type cannot say that, and clients of MCP send JSON, which has numbers. */
  readonly coerced: ts.CallExpression[] = [];

  constructor(readonly checker: ts.TypeChecker) {}

  /**
   * Reads one schema.
   *
   * @throws {ConversionProblem} a type with doc tags cannot say it
   */
  read(node: ts.Expression): Shape {
    const expression = bare(node);
    const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
    if (ts.isIdentifier(name)) {
      const value = valueOf(expression, this.checker);
      if (value === expression || ts.isIdentifier(value)) throw notFound(expression);
      const shape = this.read(value);
      return { ...shape, name: shape.name ?? name.text };
    }
    if (!ts.isCallExpression(expression)) throw notFound(expression);
    const { expression: callee } = expression;
    if (!ts.isPropertyAccessExpression(callee)) throw notFound(expression);
    const step = callee.name.text;
    if (isZod(callee.expression, this.checker)) return readBase(step, expression, this);
    if (this.isZodNamespace(callee.expression, 'iso')) return readFormat(step, expression, true);
    if (this.isZodNamespace(callee.expression, 'coerce')) {
      if (!['number', 'string', 'boolean'].includes(step)) throw noCounterpart(expression);
      this.coerced.push(expression);
      return readBase(step, expression, this);
    }
    return readStep(step, { before: this.read(callee.expression), call: expression, reader: this });
  }

  /**
   * Reads the properties of an object: of `{ a: z.string() }`, of `z.object({ … })` or of `Schema.shape`.
   *
   * @throws {ConversionProblem} a type with doc tags cannot say them
   */
  readProperties(node: ts.Expression): Properties {
    const value = this.valueOf(node);
    if (ts.isPropertyAccessExpression(value) && value.name.text === 'shape')
      return this.readProperties(value.expression);
    if (!ts.isObjectLiteralExpression(value)) {
      const { kind } = this.read(value);
      if (kind.is !== 'object')
        throw new ConversionProblem(value, 'The schema is not an object.', 'Use z.object({ … }).');
      return kind.properties;
    }
    const found = new Map<string, Shape>();
    for (const property of value.properties) {
      if (ts.isSpreadAssignment(property)) {
        for (const [name, shape] of this.readProperties(property.expression)) found.set(name, shape);
        continue;
      }
      const name = property.name && nameOf(property.name);
      if (name !== undefined && ts.isPropertyAssignment(property))
        found.set(name, this.read(property.initializer));
      else if (ts.isShorthandPropertyAssignment(property))
        found.set(property.name.text, this.read(property.name));
      else throw notFound(property);
    }
    return found;
  }

  valueOf(node: ts.Expression): ts.Expression {
    return valueOf(node, this.checker);
  }

  /** `z.iso`, `z.coerce`. */
  private isZodNamespace(node: ts.Expression, name: string): boolean {
    return (
      ts.isPropertyAccessExpression(node) && node.name.text === name && isZod(node.expression, this.checker)
    );
  }
}

function notFound(node: ts.Node): ConversionProblem {
  return new ConversionProblem(
    node,
    `${node.getText().split('\n', 1)[0]} is not a schema of zod that is written out here.`,
    'Write the parameters of the method by hand.',
  );
}

/** Whether a name in a source is zod itself, whichever way the file imports it, also through another module. */
function isZod(node: ts.Expression, checker: ts.TypeChecker): boolean {
  return ts.isIdentifier(node) && exportedName(node, /^zod(\/v[34])?$/, checker) !== undefined;
}
