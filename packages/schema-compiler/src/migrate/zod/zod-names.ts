import { ts } from 'typescript-json-schema';

/** Whether a name in a source is zod itself, whichever way the file imports it. */
export function isZod(node: ts.Expression, checker: ts.TypeChecker): boolean {
  if (!ts.isIdentifier(node)) return false;
  const declaration = checker.getSymbolAtLocation(node)?.declarations?.[0];
  if (!declaration) return false;
  const imported = ts.findAncestor(declaration, ts.isImportDeclaration);
  return (
    imported !== undefined &&
    ts.isStringLiteral(imported.moduleSpecifier) &&
    /^zod(\/v[34])?$/.test(imported.moduleSpecifier.text)
  );
}
