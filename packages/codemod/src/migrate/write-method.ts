import { ts } from '@toolwright/schema-compiler/project';
import { constantOf, printName, printText, printValue } from './constants.js';
import type { DraftContext } from './drafted-class.js';
import { ConversionProblem } from './migration.js';
import type { ParameterPlan } from './plan-parameters.js';
import { localsAround } from './references.js';
import type { FoundRegistration, RegistrationKind } from './registration.js';
import type { Properties, Shape } from './zod/shape.js';
import { descriptionOf, docComment, docTags, fitsComment, pascal } from './zod/type-writer.js';

const decorators: Readonly<Record<RegistrationKind, string>> = {
  tool: 'McpTool',
  resource: 'McpResource',
  resourceTemplate: 'McpResourceTemplate',
  prompt: 'McpPrompt',
};

/** The parts of a method below its decorator. */
interface MethodParts {
  methodName: string;
  isAsync: boolean;
  parameters: readonly string[];
  /** Lines such as `@param name text`. */
  tags: readonly string[];
  /** With a colon, or empty. */
  returnType: string;
  /** Lines of the body, indented. */
  body: string;
  /** Options of the decorator that the registration does not have. */
  options: readonly string[];
}

/** Writes a method with its comments and its decorator. */
export function writeMethod(
  registration: FoundRegistration,
  parts: MethodParts,
  { checker, style, file }: DraftContext,
): string {
  const { kind, name, description, uri } = registration;
  const { indent } = style;
  const text = description && constantOf(description, checker)?.value;
  const inComment = typeof text === 'string' && fitsComment(text) ? text : '';
  const options: string[] = [];
  const add = (option: string, node: ts.Expression) => {
    const written = expressionText(node, style.quote, checker);
    options.push(written === option ? option : `${option}: ${written}`);
  };
  if (uri) add(kind === 'resource' ? 'uri' : 'uriTemplate', uri);
  if (name !== parts.methodName) options.push(`name: ${printText(name, style.quote)}`);
  for (const [option, node] of registration.options) add(option, node);
  if (description && inComment === '') add('description', description);
  options.push(...parts.options);
  const comments = commentsAbove(registration.statement, file).map(
    ({ pos, end }) => `${indent}${file.text.slice(pos, end)}\n`,
  );
  return [
    ...comments,
    docComment(
      inComment,
      inComment === '' && parts.tags.length === 0 ? [] : withGap(inComment, parts.tags),
      indent,
    ),
    `${indent}@${decorators[kind]}(${optionsText(options, indent)})\n`,
    `${indent}${parts.isAsync ? 'async ' : ''}${parts.methodName}(${parametersText(parts.parameters, indent)})${parts.returnType} {\n`,
    parts.body,
    `${indent}}\n`,
  ].join('');

  function withGap(above: string, tags: readonly string[]): string[] {
    return above.includes('\n') && tags.length > 0 ? ['', ...tags] : [...tags];
  }
}

function optionsText(options: readonly string[], indent: string): string {
  if (options.length === 0) return '';
  const line = `{ ${options.join(', ')} }`;
  if (line.length <= 100 && !line.includes('\n')) return line;
  return `{\n${options.map((each) => `${indent.repeat(2)}${each},\n`).join('')}${indent}}`;
}

function parametersText(parameters: readonly string[], indent: string): string {
  const line = parameters.join(', ');
  if (line.length <= 80 && !line.includes('\n')) return line;
  return `\n${parameters.map((each) => `${indent.repeat(2)}${each},\n`).join('')}${indent}`;
}

/**
 * An expression for the class: its value if the source writes it out, or its own text if it names only what
 * the whole module sees.
 */
export function expressionText(node: ts.Expression, quote: string, checker: ts.TypeChecker): string {
  const locals = localsAround(node, checker);
  const isName = ts.isIdentifier(node) && locals.length === 0;
  const constant = constantOf(node, checker);
  // The name of a text or a URI says more than its value does. A whole object is easier to read in its place.
  if (constant && !(isName && typeof constant.value !== 'object'))
    return printValue(constant.value, { quote, indent: '  ' }, '    ');
  if (locals.length === 0) return node.getText();
  throw new ConversionProblem(
    node,
    `An option depends on "${locals[0]!.text}", which belongs to a function.`,
    'Write the value out, or keep it in a constant of the module.',
  );
}

/** The line comments directly above a statement. */
export function commentsAbove(statement: ts.Statement, file: ts.SourceFile): ts.CommentRange[] {
  const ranges = ts.getLeadingCommentRanges(file.text, statement.getFullStart()) ?? [];
  const found: ts.CommentRange[] = [];
  let below = statement.getStart(file);
  for (const range of ranges.toReversed()) {
    const gap = file.text.slice(range.end, below);
    if (range.kind !== ts.SyntaxKind.SingleLineCommentTrivia || gap.split('\n').length > 2) break;
    found.unshift(range);
    below = range.pos;
  }
  return found;
}

interface WrittenParameters {
  /** Between the parentheses. */
  list: string[];
  /** Lines such as `@param name text` for the method's doc comment. */
  tags: string[];
  /** Statements that come first in the body. */
  first: string[];
  /** All arguments as one expression, where they are one parameter: with the defaults of the schema. */
  all?: string;
}

interface ParametersOf {
  plan: ParameterPlan;
  properties: Properties;
  registration: FoundRegistration;
  /** The type and name of the context, if the method uses it. */
  context: string | undefined;
}

/** Writes the parameters of a method, in an order that TypeScript accepts. */
export function writeParameters(
  { plan, properties, registration, context }: ParametersOf,
  draft: DraftContext,
): WrittenParameters {
  if (plan.form === 'none') return { list: context ? [context] : [], tags: [], first: [] };
  if (plan.form === 'one') {
    const { parameter, ...rest } = writeOne(plan, properties, registration, draft);
    return { list: context ? [parameter, context] : [parameter], tags: [], ...rest };
  }
  const { style, types } = draft;
  const node = registration.call;
  const [required, optional]: [string[], string[]] = [[], []];
  const tags: string[] = [];
  for (const [name, shape] of properties) {
    const description = descriptionOf(shape, node);
    // A tag `@param` holds one paragraph, and reads a brace or a dash at its start as its own.
    const asTag = description !== '' && !/\n|^[-{[]/.test(description);
    if (asTag) tags.push(`@param ${name} ${description}`);
    const comment = commentOf(asTag ? '' : description, docTags(shape), style.indent.repeat(2));
    const initializer = plan.initializers.get(name)?.getText();
    const text =
      comment +
      parameterOf(
        name,
        shape,
        initializer,
        types.typeOf(shape, pascal(registration.name) + pascal(name), node),
        draft,
      );
    const isOptional = shape.optional && shape.default === undefined && initializer === undefined;
    (isOptional ? optional : required).push(text);
  }
  return { list: [...required, ...(context ? [context] : []), ...optional], tags, first: [] };
}

function commentOf(description: string, tags: readonly string[], margin: string): string {
  if (description === '' && tags.length === 0) return '';
  if (!description.includes('\n') && !tags.some((tag) => tag.startsWith('@pattern')))
    return `/** ${[description, ...tags].filter((each) => each !== '').join(' ')} */ `;
  return `${docComment(description, tags, margin).trimStart().trimEnd()}\n${margin}`;
}

function parameterOf(
  name: string,
  { optional, default: value, defaultText, nullable }: Shape,
  initializer: string | undefined,
  type: string,
  { style }: DraftContext,
): string {
  const start = value === undefined ? initializer : (defaultText ?? printValue(value, style));
  if (start === undefined) return `${name}${optional ? '?' : ''}: ${type}`;
  // TypeScript infers these types from their default.
  const isClear = type === typeof value && !nullable;
  return isClear ? `${name} = ${start}` : `${name}: ${type} = ${start}`;
}

function writeOne(
  { binding }: ParameterPlan & { form: 'one' },
  properties: Properties,
  registration: FoundRegistration,
  { style, types, taken }: DraftContext,
): { parameter: string; first: string[]; all: string } {
  const type = types.interfaceOf(properties, `${pascal(registration.name)}Args`, registration.call);
  const defaults = [...properties].flatMap(([name, { default: value, defaultText, kind }]) => {
    if (value === undefined) return [];
    const written = defaultText ?? `${printValue(value, style)}${kind.is === 'literal' ? ' as const' : ''}`;
    return [`${printName(name, style.quote)}: ${written}`];
  });
  const input = ['input', 'given', 'allArgs'].find((name) => !taken.has(name)) ?? '_input';
  const filled = defaults.length === 0 ? input : `{ ${defaults.join(', ')}, ...${input} }`;
  if (!binding) return { parameter: `_${input}: ${type}`, first: [], all: filled };
  if ('text' in binding && defaults.length === 0)
    return { parameter: `${binding.text}: ${type}`, first: [], all: binding.text };
  return { parameter: `${input}: ${type}`, first: [`const ${binding.getText()} = ${filled};`], all: filled };
}
