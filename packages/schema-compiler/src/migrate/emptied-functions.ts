import { ts } from 'typescript-json-schema';

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
