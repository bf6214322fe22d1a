import { ts } from '@toolwright/schema-compiler/project';
import { declarationOf } from './constants.js';

/** Every name in a piece of source that means a value or declares one. Names of properties are left out. */
export function namesIn(node: ts.Node): ts.Identifier[] {
  const found: ts.Identifier[] = [];
  const visit = (each: ts.Node): void => {
    if (ts.isIdentifier(each) && !isPropertyName(each)) found.push(each);
    ts.forEachChild(each, visit);
  };
  visit(node);
  return found;
}

function isPropertyName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isQualifiedName(parent)) return parent.right === node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  return (
    (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isMethodDeclaration(parent)) &&
    parent.name === node
  );
}

/** The names in `node` that mean what `declaration` declares. */
export function referencesTo(
  declaration: ts.Declaration,
  node: ts.Node,
  checker: ts.TypeChecker,
): ts.Identifier[] {
  return namesIn(node).filter(
    (each) => each.parent !== declaration && declarationOf(each, checker) === declaration,
  );
}

/** Whether the whole module sees a declaration, or other modules do. */
export function isOfModule(declaration: ts.Declaration): boolean {
  return !ts.findAncestor(
    declaration.parent,
    (each) =>
      ts.isFunctionLike(each) ||
      ts.isBlock(each) ||
      ts.isIterationStatement(each, false) ||
      ts.isCatchClause(each),
  );
}

/** The names in `node` that belong to a function around it. */
export function localsAround(node: ts.Node, checker: ts.TypeChecker): ts.Identifier[] {
  return namesIn(node).filter((each) => {
    const declaration = declarationOf(each, checker);
    if (!declaration || declaration.getSourceFile() !== node.getSourceFile()) return false;
    const isInside = declaration.pos >= node.pos && declaration.end <= node.end;
    return !isInside && !isOfModule(declaration);
  });
}

/** All nodes below `node` that pass, not looking into functions inside it. */
export function ownNodes<T extends ts.Node>(node: ts.Node, passes: (each: ts.Node) => each is T): T[] {
  const found: T[] = [];
  const visit = (each: ts.Node): void => {
    if (passes(each)) found.push(each);
    if (!ts.isFunctionLike(each)) ts.forEachChild(each, visit);
  };
  ts.forEachChild(node, visit);
  return found;
}
