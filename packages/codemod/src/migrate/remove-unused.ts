import { ts } from '@toolwright/schema-compiler/project';
import { namesIn } from './references.js';
import { isSdkOrZod } from './sdk-server.js';

/**
 * Removes what only the registrations used: constants that nothing names any more, and imports of the SDK and
 * of zod. Exported constants stay, because other modules may import them.
 *
 * @param candidates names that were used in what was removed
 */
export function removeUnused(text: string, candidates: ReadonlySet<string>): string {
  for (let now = text; ;) {
    const next = withoutOne(now, candidates);
    if (next === now) return next;
    now = next;
  }
}

function withoutOne(text: string, candidates: ReadonlySet<string>): string {
  const file = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const counts = new Map<string, number>();
  for (const name of namesIn(file)) counts.set(name.text, (counts.get(name.text) ?? 0) + 1);
  const isUnused = (name: string) => counts.get(name) === 1;
  let result: string | undefined;
  const visit = (node: ts.Node): void => {
    if (result !== undefined) return;
    if (ts.isVariableStatement(node))
      result = withoutConstant(node, text, (name) => candidates.has(name) && isUnused(name));
    else if (ts.isImportDeclaration(node)) result = withoutImport(node, text, isUnused);
    if (result === undefined) ts.forEachChild(node, visit);
  };
  visit(file);
  return result ?? text;
}

function withoutConstant(
  node: ts.VariableStatement,
  text: string,
  isUnused: (name: string) => boolean,
): string | undefined {
  const [declaration] = node.declarationList.declarations;
  const isPlain =
    node.declarationList.declarations.length === 1 &&
    !!(node.declarationList.flags & ts.NodeFlags.Const) &&
    !node.modifiers &&
    ts.isIdentifier(declaration!.name) &&
    doesNothing(declaration!.initializer);
  if (!isPlain || !isUnused(declaration!.name.getText())) return undefined;
  return withoutStatement(text, node);
}

/** Whether an expression only makes a value. Of calls, those of zod do. */
function doesNothing(node: ts.Node | undefined): boolean {
  if (!node) return true;
  if (ts.isFunctionLike(node)) return true;
  if (ts.isNewExpression(node) || ts.isAwaitExpression(node) || ts.isTaggedTemplateExpression(node))
    return false;
  if (ts.isCallExpression(node) && !isOfZod(node)) return false;
  return !(ts.forEachChild(node, (each) => !doesNothing(each) || undefined) ?? false);
}

/** A chain of calls that begins with a name that the file imports from zod, or with one of its schemas. */
function isOfZod(call: ts.CallExpression): boolean {
  let root: ts.Expression = call;
  while (ts.isCallExpression(root) || ts.isPropertyAccessExpression(root)) root = root.expression;
  if (!ts.isIdentifier(root) || root === call.expression) return false;
  const { text } = root;
  return call.getSourceFile().statements.some((each) => {
    if (ts.isImportDeclaration(each))
      return (
        /^['"]zod\b/.test(each.moduleSpecifier.getText()) && namesIn(each).some((name) => name.text === text)
      );
    if (!ts.isVariableStatement(each)) return false;
    const schema = each.declarationList.declarations.find(({ name }) => name.getText() === text);
    return !!schema?.initializer && ts.isCallExpression(schema.initializer) && isOfZod(schema.initializer);
  });
}

/** Cuts a statement with the comment above it and the rest of its lines. */
function withoutStatement(text: string, node: ts.Statement): string {
  const file = node.getSourceFile();
  const comments = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
  const last = comments.at(-1);
  const isAbove = last && text.slice(last.end, node.getStart(file)).split('\n').length <= 2;
  const start = lineStart(text, isAbove ? last.pos : node.getStart(file));
  const end = /^[ \t]*(\/\/[^\n]*)?\r?\n?/.exec(text.slice(node.getEnd()))![0].length + node.getEnd();
  const gap = /(^|\n[ \t]*\r?\n)$/.test(text.slice(0, start))
    ? /^([ \t]*\r?\n)*/.exec(text.slice(end))![0].length
    : 0;
  return text.slice(0, start) + text.slice(end + gap);
}

/** Where the line of a position begins, if only blanks are before it. */
export function lineStart(text: string, position: number): number {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  return /^[ \t]*$/.test(text.slice(start, position)) ? start : position;
}

function withoutImport(
  node: ts.ImportDeclaration,
  text: string,
  isUnused: (name: string) => boolean,
): string | undefined {
  const { importClause: clause, moduleSpecifier } = node;
  if (!clause || !ts.isStringLiteral(moduleSpecifier) || !isSdkOrZod(moduleSpecifier.text)) return undefined;
  const { name, namedBindings } = clause;
  const names = [
    ...(name ? [name] : []),
    ...(!namedBindings
      ? []
      : ts.isNamespaceImport(namedBindings)
        ? [namedBindings.name]
        : namedBindings.elements.map((each) => each.name)),
  ];
  const unused = names.filter((each) => isUnused(each.text));
  if (unused.length === 0) return undefined;
  if (unused.length === names.length) return withoutStatement(text, node);
  if (!namedBindings || !ts.isNamedImports(namedBindings)) return undefined;
  const kept = namedBindings.elements.filter(({ name: each }) => !isUnused(each.text));
  if (kept.length === namedBindings.elements.length) return undefined;
  const list = `{ ${kept.map((each) => each.getText()).join(', ')} }`;
  return text.slice(0, namedBindings.getStart()) + list + text.slice(namedBindings.getEnd());
}

/** A function that has a name in its file. */
export interface NamedFunction {
  name: string;
  node: ts.Node;
}

/** The functions that contain these statements. */
export function functionsAround(statements: readonly ts.Statement[]): NamedFunction[] {
  const blocks = new Set(statements.map(({ parent }) => parent).filter(ts.isBlock));
  return [...blocks].flatMap((block) => {
    const node = nameOf(block.parent);
    return node ? [{ name: node.text, node: block }] : [];
  });
}

function nameOf(node: ts.Node): ts.Identifier | undefined {
  if (ts.isFunctionDeclaration(node)) return node.name;
  const { parent } = node;
  return ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? parent.name : undefined;
}

/**
 * Writes `{}` as the body of those functions that do nothing any more. They stay, because other modules may
 * call them.
 */
export function closeEmptied(
  text: string,
  functions: readonly NamedFunction[],
): { text: string; emptied: NamedFunction[] } {
  const file = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const bodies = new Map<string, ts.Block>();
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node) && node.statements.length === 0) {
      const name = nameOf(node.parent);
      if (name) bodies.set(name.text, node);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  const emptied = functions.filter(({ name }) => bodies.has(name));
  const blank = emptied
    .map(({ name }) => bodies.get(name)!)
    .filter((body) => /^\{\s*\}$/.test(body.getText(file)))
    .sort((a, b) => b.pos - a.pos);
  const closed = blank.reduce(
    (now, body) => `${now.slice(0, body.getStart(file))}{}${now.slice(body.getEnd())}`,
    text,
  );
  return { text: closed, emptied };
}
