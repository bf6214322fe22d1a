import type { ImportedClass } from '@toolwright/manifest';
import { ts } from '../generator/tjs-adapter.js';

/**
 * How a file imports a name from another module. `typeOnly` says that the compiled JavaScript contains no
 * such import.
 */
export function importSpecifier(file: ts.SourceFile, name: string): ImportedClass | undefined {
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const found = importedAs(statement.importClause, name);
    if (!found) continue;
    const { exported, typeOnly } = found;
    return {
      specifier: statement.moduleSpecifier.text,
      export: exported,
      ...(typeOnly ? { typeOnly: true } : {}),
    };
  }
  return undefined;
}

function importedAs(
  clause: ts.ImportClause | undefined,
  name: string,
): { exported: string; typeOnly: boolean } | undefined {
  if (!clause) return undefined;
  if (clause.name?.text === name) return { exported: 'default', typeOnly: clause.isTypeOnly };
  const bindings = clause.namedBindings;
  if (!bindings || !ts.isNamedImports(bindings)) return undefined;
  const element = bindings.elements.find((each) => (each.propertyName ?? each.name).text === name);
  return element && { exported: name, typeOnly: clause.isTypeOnly || element.isTypeOnly };
}
