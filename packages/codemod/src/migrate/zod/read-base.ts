import { ts } from '@toolwright/schema-compiler/project';
import { type Constant, constantOf, declarationOf } from '../constants.js';
import { ConversionProblem } from '../migration.js';
import { type Properties, type Shape, shapeOf } from './shape.js';

/** Formats that zod has functions for, with their names in JSON Schema. */
export const formats: Readonly<Record<string, string>> = {
  email: 'email',
  url: 'uri',
  uuid: 'uuid',
  guid: 'uuid',
  datetime: 'date-time',
  date: 'date',
  time: 'time',
  ipv4: 'ipv4',
  ipv6: 'ipv6',
};

type ReadBase = (call: ts.CallExpression, reader: SchemaReader) => Shape;

const plain =
  (is: 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'unknown'): ReadBase =>
  () =>
    shapeOf({ is });

/** What `z.name(…)` makes. Options with messages of their own are read past. */
const bases: Readonly<Record<string, ReadBase>> = {
  string: plain('string'),
  number: plain('number'),
  int: plain('integer'),
  boolean: plain('boolean'),
  null: plain('null'),
  unknown: plain('unknown'),
  any: plain('unknown'),
  literal: (call, reader) => {
    const { value } = constantArgument(call, reader);
    return shapeOf({ is: 'literal', values: Array.isArray(value) ? value : [value] });
  },
  enum: readEnum,
  nativeEnum: readEnum,
  array: (call, reader) => shapeOf({ is: 'array', items: reader.read(argument(call)) }),
  tuple: (call, reader) => shapeOf({ is: 'tuple', items: readList(call, argument(call), reader) }),
  union: (call, reader) => shapeOf({ is: 'union', members: readList(call, argument(call), reader) }),
  discriminatedUnion: (call, reader) =>
    shapeOf({ is: 'union', members: readList(call, argument(call, 1), reader) }),
  record: (call, reader) => {
    const [first, second] = call.arguments;
    if (first && second && reader.read(first).kind.is !== 'string') throw noCounterpart(call);
    return shapeOf({ is: 'record', values: reader.read(second ?? argument(call)) });
  },
  object: (call, reader) => readObject(call, reader, {}),
  strictObject: (call, reader) => readObject(call, reader, { closed: true }),
  looseObject: (call, reader) => readObject(call, reader, { open: true }),
  optional: (call, reader) => ({ ...reader.read(argument(call)), optional: true }),
  nullable: (call, reader) => ({ ...reader.read(argument(call)), nullable: true }),
  nullish: (call, reader) => ({ ...reader.read(argument(call)), optional: true, nullable: true }),
};

/** Reads `z.name(…)`. */
export function readBase(name: string, call: ts.CallExpression, reader: SchemaReader): Shape {
  const base = Object.hasOwn(bases, name) ? bases[name] : undefined;
  return base ? base(call, reader) : readFormat(name, call, false);
}

/** Reads `z.email()`, or `z.iso.date()`: `z.date()` is something else. */
export function readFormat(name: string, call: ts.CallExpression, isIso: boolean): Shape {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format === undefined || /^(date|time)/.test(format) !== isIso) throw noCounterpart(call);
  return shapeOf({ is: 'string' }, { format });
}

/** A problem that shows the name of the function. */
export function noCounterpart(call: ts.CallExpression): ConversionProblem {
  const callee = call.expression.getText();
  const text = /^\w+(\.(coerce|iso))?\.\w+$/.test(callee) ? `${callee}()` : `.${callee.split('.').at(-1)}()`;
  const isChange = /transform|preprocess|coerce|pipe|catch|trim|Case|codec|stringbool/.test(callee);
  return new ConversionProblem(
    call,
    isChange
      ? `${text} of zod changes the value, and a type cannot say that.`
      : `${text} of zod has no counterpart among types and doc tags.`,
    'Write the method by hand, and keep this schema with @Schema before its parameter (docs/schemas.md).',
  );
}

/** The first argument, or another one. */
export function argument(call: ts.CallExpression, index = 0): ts.Expression {
  const found = call.arguments[index];
  if (!found) throw noCounterpart(call);
  return found;
}

export function constantArgument(call: ts.CallExpression, reader: SchemaReader): { value: Constant } {
  const node = argument(call);
  const constant = constantOf(node, reader.checker);
  if (constant) return constant;
  const callee = call.expression.getText().split(/[.\s]/).at(-1);
  throw new ConversionProblem(
    node,
    `What ${callee}() of zod is given here is computed when the program runs.`,
    'Write the value out, or write the method by hand and keep this schema with @Schema (docs/schemas.md).',
  );
}

function readEnum(call: ts.CallExpression, reader: SchemaReader): Shape {
  const named = readNamedEnum(argument(call), reader.checker);
  if (named) return named;
  const { value } = constantArgument(call, reader);
  const values = Array.isArray(value) ? value : Object.values(value as Record<string, Constant>);
  return shapeOf({ is: 'literal', values });
}

/** An enum of TypeScript keeps its name: its values are not assignable to it. */
function readNamedEnum(node: ts.Expression, checker: ts.TypeChecker): Shape | undefined {
  const declaration = declarationOf(ts.isPropertyAccessExpression(node) ? node.name : node, checker);
  if (!declaration || !ts.isEnumDeclaration(declaration)) return undefined;
  const values = declaration.members.map((member) => checker.getConstantValue(member));
  if (values.some((value) => value === undefined)) return undefined;
  return shapeOf({ is: 'literal', values: values as Constant[], type: node.getText() });
}

function readList(call: ts.CallExpression, node: ts.Expression, reader: SchemaReader): Shape[] {
  const list = reader.valueOf(node);
  if (!ts.isArrayLiteralExpression(list)) throw noCounterpart(call);
  return list.elements.map((each) => reader.read(each));
}

function readObject(
  call: ts.CallExpression,
  reader: SchemaReader,
  { closed = false, open = false }: { closed?: boolean; open?: boolean },
): Shape {
  const properties = call.arguments[0] ? reader.readProperties(call.arguments[0]) : new Map();
  return shapeOf({ is: 'object', properties, closed, open });
}

/** What the parts of a schema are read with. */
export interface SchemaReader {
  readonly checker: ts.TypeChecker;
  /** @throws {ConversionProblem} a type with doc tags cannot say it */
  read(node: ts.Expression): Shape;
  /** @throws {ConversionProblem} a type with doc tags cannot say them */
  readProperties(node: ts.Expression): Properties;
  /** For the name of a `const`, what it is set to. */
  valueOf(node: ts.Expression): ts.Expression;
}
