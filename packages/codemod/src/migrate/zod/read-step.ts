import { ts } from '@toolwright/schema-compiler/project';
import type { Constant } from '../constants.js';
import { type SchemaReader, argument, constantArgument, formats, noCounterpart } from './read-base.js';
import { shapeOf, type ShapeKind, type Properties, type Shape } from './shape.js';

/** A call in a chain, such as `.min(1)`, and the schema before it. */
interface Step {
  before: Shape;
  call: ts.CallExpression;
  reader: SchemaReader;
}

type ReadStep = (step: Step) => Shape;

const withRules = (before: Shape, rules: Record<string, Constant>): Shape => ({
  ...before,
  rules: { ...before.rules, ...rules },
});

const same: ReadStep = ({ before }) => before;

/** A rule whose value is the argument of the call. */
const rule =
  (keyword: string): ReadStep =>
  ({ before, call, reader }) =>
    withRules(before, { [keyword]: constantArgument(call, reader).value });

const fixed =
  (rules: Record<string, Constant>): ReadStep =>
  ({ before }) =>
    withRules(before, rules);

/** Both bounds are the argument. */
const exactly =
  (least: string, most: string): ReadStep =>
  ({ before, call, reader }) => {
    const { value } = constantArgument(call, reader);
    return withRules(before, { [least]: value, [most]: value });
  };

const containing =
  (before: string, after: string): ReadStep =>
  (step) => {
    const { value } = constantArgument(step.call, step.reader);
    const text = String(value).replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
    return withPattern(step, `${before}${text}${after}`);
  };

function withPattern({ before, call }: Step, pattern: string): Shape {
  // One tag holds one pattern, and the two characters would end the comment.
  if (before.rules['pattern'] !== undefined || /\*\/|[\r\n]/.test(pattern)) throw noCounterpart(call);
  return withRules(before, { pattern });
}

/** Steps that every schema has. */
const general: Readonly<Record<string, ReadStep>> = {
  optional: ({ before }) => ({ ...before, optional: true }),
  nullable: ({ before }) => ({ ...before, nullable: true }),
  nullish: ({ before }) => ({ ...before, optional: true, nullable: true }),
  default: ({ before, call, reader }) => ({
    ...before,
    default: constantArgument(call, reader).value,
    ...(before.kind.is === 'literal' && before.kind.type && { defaultText: argument(call).getText() }),
  }),
  describe: ({ before, call, reader }) => described(before, constantArgument(call, reader).value, call),
  readonly: same,
  brand: same,
  array: ({ before }) => shapeOf({ is: 'array', items: before }),
  or: ({ before, call, reader }) => shapeOf({ is: 'union', members: [before, reader.read(argument(call))] }),
};

const bounds = (least: string, most: string): Record<string, ReadStep> => ({
  min: rule(least),
  max: rule(most),
  length: exactly(least, most),
  nonempty: fixed({ [least]: 1 }),
});

const numbers: Record<string, ReadStep> = {
  min: rule('minimum'),
  gte: rule('minimum'),
  max: rule('maximum'),
  lte: rule('maximum'),
  gt: rule('exclusiveMinimum'),
  lt: rule('exclusiveMaximum'),
  positive: fixed({ exclusiveMinimum: 0 }),
  negative: fixed({ exclusiveMaximum: 0 }),
  nonnegative: fixed({ minimum: 0 }),
  nonpositive: fixed({ maximum: 0 }),
  multipleOf: rule('multipleOf'),
  step: rule('multipleOf'),
  int: ({ before }) => ({ ...before, kind: { is: 'integer' } }),
  finite: same,
  safe: same,
};

/** Steps of one kind of schema. */
const special: Readonly<Partial<Record<ShapeKind['is'], Readonly<Record<string, ReadStep>>>>> = {
  string: {
    ...bounds('minLength', 'maxLength'),
    ...Object.fromEntries(Object.entries(formats).map(([name, format]) => [name, fixed({ format })])),
    regex: (step) => {
      const pattern = argument(step.call);
      const literal = pattern.kind === ts.SyntaxKind.RegularExpressionLiteral ? pattern.getText() : '';
      const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(literal) ?? [];
      if (source === undefined || (flags && flags !== 'u')) throw noCounterpart(step.call);
      return withPattern(step, source);
    },
    startsWith: containing('^', ''),
    endsWith: containing('', '$'),
    includes: containing('', ''),
  },
  number: numbers,
  integer: numbers,
  array: { ...bounds('minItems', 'maxItems') },
  object: {
    strict: ({ before }) => object(before, { closed: true, open: false }),
    passthrough: ({ before }) => object(before, { open: true }),
    loose: ({ before }) => object(before, { open: true }),
    strip: same,
    partial: ({ before, call }) => {
      if (call.arguments.length > 0) throw noCounterpart(call);
      return mapped(before, (shape) => ({ ...shape, optional: true }));
    },
    extend: ({ before, call, reader }) => merged(before, reader.readProperties(argument(call))),
    merge: ({ before, call, reader }) => {
      const { kind } = reader.read(argument(call));
      if (kind.is !== 'object') throw noCounterpart(call);
      return merged(before, kind.properties);
    },
    pick: ({ before, call, reader }) =>
      chosen(before, Object.keys(constantArgument(call, reader).value!), true),
    omit: ({ before, call, reader }) =>
      chosen(before, Object.keys(constantArgument(call, reader).value!), false),
  },
};

/** Reads one call of a chain. */
export function readStep(name: string, step: Step): Shape {
  const own = special[step.before.kind.is] ?? {};
  const read = Object.hasOwn(own, name)
    ? own[name]
    : Object.hasOwn(general, name)
      ? general[name]
      : undefined;
  if (!read) throw noCounterpart(step.call);
  const after = read(step);
  // The name is that of the constant which holds the schema. A call that changes the schema makes one without a name.
  const isSame = after.kind === step.before.kind && after.rules === step.before.rules;
  if (isSame) return after;
  const { name: _name, ...changed } = after;
  return changed;
}

function described(before: Shape, text: Constant, call: ts.CallExpression): Shape {
  if (typeof text !== 'string') throw noCounterpart(call);
  return { ...before, description: text };
}

function object(before: Shape, more: { closed?: boolean; open?: boolean; properties?: Properties }): Shape {
  return { ...before, kind: { ...(before.kind as ShapeKind & { is: 'object' }), ...more } };
}

function propertiesOf({ kind }: Shape): Properties {
  return (kind as ShapeKind & { is: 'object' }).properties;
}

function mapped(before: Shape, change: (shape: Shape) => Shape): Shape {
  return object(before, {
    properties: new Map([...propertiesOf(before)].map(([name, shape]) => [name, change(shape)])),
  });
}

function merged(before: Shape, more: Properties): Shape {
  return object(before, { properties: new Map([...propertiesOf(before), ...more]) });
}

function chosen(before: Shape, names: readonly string[], keep: boolean): Shape {
  const kept = [...propertiesOf(before)].filter(([name]) => names.includes(name) === keep);
  return object(before, { properties: new Map(kept) });
}
