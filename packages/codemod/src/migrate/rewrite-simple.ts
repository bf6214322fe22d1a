import { ts } from '@toolwright/schema-compiler/project';
import { bare, constantOf, propertiesOf, valueOf } from './constants.js';
import type { InlineHandler } from './plan-parameters.js';
import { ownNodes, referencesTo } from './references.js';
import type { FoundRegistration } from './registration.js';
import type { Rewriter } from './rewriter.js';

interface Places {
  handler: InlineHandler;
  registration: FoundRegistration;
  rewriter: Rewriter;
  checker: ts.TypeChecker;
}

/**
 * Rewrites the results of a prompt or a resource that are one text, so that the method returns this text.
 *
 * @returns whether all results have this form; otherwise nothing is changed
 */
export function rewriteSimple({ handler, registration, rewriter, checker }: Places): boolean {
  const { body } = handler;
  const results = ts.isBlock(body)
    ? ownNodes(body, ts.isReturnStatement).map(({ expression }) => expression)
    : [body];
  const texts = results.map(
    (result) =>
      result &&
      (registration.kind === 'prompt'
        ? promptText(result, checker)
        : resourceText(result, registration, handler, checker)),
  );
  if (results.length === 0 || !texts.every((each) => each !== undefined)) return false;
  texts.forEach((text, index) => rewriter.replace(results[index]!, text));
  return true;
}

/** The fields of an object that is written out and has exactly these. */
function fieldsOf(
  node: ts.Expression | undefined,
  names: readonly string[],
): Map<string, ts.Expression> | undefined {
  const object = node && bare(node);
  const fields = object && ts.isObjectLiteralExpression(object) ? propertiesOf(object) : undefined;
  return fields && [...fields.keys()].every((name) => names.includes(name)) ? fields : undefined;
}

function onlyItem(node: ts.Expression | undefined): ts.Expression | undefined {
  const list = node && bare(node);
  return list && ts.isArrayLiteralExpression(list) && list.elements.length === 1
    ? list.elements[0]
    : undefined;
}

/** The text of `{ messages: [{ role: 'user', content: { type: 'text', text } }] }`. */
function promptText(result: ts.Expression, checker: ts.TypeChecker): ts.Expression | undefined {
  const message = fieldsOf(onlyItem(fieldsOf(result, ['messages'])?.get('messages')), ['role', 'content']);
  const role = message?.get('role');
  const content = fieldsOf(message?.get('content'), ['type', 'text']);
  const type = content?.get('type');
  if (!role || constantOf(role, checker)?.value !== 'user') return undefined;
  return type && constantOf(type, checker)?.value === 'text' ? content!.get('text') : undefined;
}

/** The text of `{ contents: [{ uri: uri.href, text }] }`, if the server would write the rest the same. */
function resourceText(
  result: ts.Expression,
  { options, uri, kind }: FoundRegistration,
  handler: InlineHandler,
  checker: ts.TypeChecker,
): ts.Expression | undefined {
  const content = fieldsOf(onlyItem(fieldsOf(result, ['contents'])?.get('contents')), [
    'uri',
    'mimeType',
    'text',
  ]);
  const place = content?.get('uri');
  const type = content?.get('mimeType');
  const declared = options.get('mimeType');
  if (!place || !content?.has('text')) return undefined;
  const isSameType = type
    ? declared !== undefined && sameConstant(type, declared, checker)
    : declared === undefined;
  const [parameter] = handler.parameters;
  const isOwn =
    parameter !== undefined &&
    referencesTo(parameter, place, checker).length === 1 &&
    /^\w+\.(href|toString\(\))$/.test(place.getText());
  const isFixed = kind === 'resource' && uri !== undefined && sameConstant(place, uri, checker);
  return isSameType && (isOwn || isFixed) ? content.get('text') : undefined;
}

function sameConstant(a: ts.Expression, b: ts.Expression, checker: ts.TypeChecker): boolean {
  const value = constantOf(a, checker)?.value;
  return typeof value === 'string' && value === constantOf(b, checker)?.value;
}

/** The server has checked the arguments already, so `Schema.parse(args)` is `args`. */
export function rewriteParse(
  args: ts.ParameterDeclaration,
  input: ts.Expression,
  { handler, rewriter, checker }: { handler: InlineHandler; rewriter: Rewriter; checker: ts.TypeChecker },
): void {
  const schema = valueOf(input, checker);
  for (const use of referencesTo(args, handler.body, checker)) {
    const call = use.parent;
    if (!ts.isCallExpression(call) || call.arguments[0] !== use) continue;
    const { expression: callee } = call;
    const isParse = ts.isPropertyAccessExpression(callee) && callee.name.text === 'parse';
    if (isParse && valueOf(callee.expression, checker) === schema) rewriter.replace(call, use.text);
  }
}
