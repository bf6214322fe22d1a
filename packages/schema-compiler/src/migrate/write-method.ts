import { ts } from 'typescript-json-schema';
import { printText, printValue } from './code-style.js';
import { constantOf } from './constants.js';
import { docComment, fitsComment } from './doc-comment.js';
import type { DraftContext } from './draft.js';
import { localsAround } from './references.js';
import { Refusal } from './refusal.js';
import type { Registration, RegistrationKind } from './registration.js';

const decorators: Readonly<Record<RegistrationKind, string>> = {
  tool: 'McpTool',
  resource: 'McpResource',
  resourceTemplate: 'McpResourceTemplate',
  prompt: 'McpPrompt',
};

/** The parts of a method below its decorator. */
export interface MethodParts {
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
  registration: Registration,
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
  throw new Refusal(
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
