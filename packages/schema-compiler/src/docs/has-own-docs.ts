import { ts } from 'typescript-json-schema';

/**
 * The comments of the standard library, of core's `integer`, and of a package's generic types (`z.input<…>`)
 * explain how to use the type, not what the value means.
 */
export function hasOwnDocs(symbol: ts.Symbol): boolean {
  const declaration = symbol.declarations?.[0];
  if (!declaration || declaration.getSourceFile().hasNoDefaultLib) return false;
  if (symbol.name === 'integer') return false;
  if (!ts.isTypeAliasDeclaration(declaration)) return true;
  return !declaration.typeParameters || !declaration.getSourceFile().fileName.includes('/node_modules/');
}
