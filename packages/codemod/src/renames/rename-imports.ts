import { ts } from '@toolwright/schema-compiler/project';
import { noteAt, type MigrationNote } from '../migrate/migration.js';
import { allNames } from '../migrate/names.js';
import type { Rewriter } from '../migrate/rewriter.js';
import { DeclarationRewriter, elementsOf, isDeclaration, type Element } from './import-declarations.js';
import type { Renames } from './table.js';

/** What the renaming of a project's files needs to know. */
export interface RenameContext {
  readonly checker: ts.TypeChecker;
  readonly renames: Renames;
}

/** A name of a module. */
interface Place {
  module: string;
  name: string;
}

/**
 * Changes the imports of a file, and every use of what they bind. Only names of `@toolwright/*` are looked at, and
 * only identifiers that such an import binds.
 */
export function renameImports(
  file: ts.SourceFile,
  rewriter: Rewriter,
  context: RenameContext,
): MigrationNote[] {
  const notes: MigrationNote[] = [];
  const declarations = new DeclarationRewriter(file);
  const taken = allNames(file);
  for (const statement of file.statements.filter(isDeclaration)) {
    const module = moduleOf(statement.moduleSpecifier);
    if (module === undefined) continue;
    for (const element of elementsOf(statement)) {
      const before = (element.propertyName ?? element.name).text;
      notes.push(...noteRemoved(element, { module, name: before }, context.renames));
      const now = placeOfToday({ module, name: before }, context.renames);
      if (!now) continue;
      const isKept = element.propertyName !== undefined || ts.isExportSpecifier(element);
      const isFree = now.name === before || !taken.has(now.name);
      const local = isKept || !isFree ? element.name.text : now.name;
      if (local !== element.name.text)
        for (const { node, text } of usesOf(element, local, context.checker)) rewriter.replace(node, text);
      declarations.move(element, now.module, local === now.name ? local : `${now.name} as ${local}`);
    }
  }
  declarations.write(rewriter);
  return [...notes, ...renameQualified(file, rewriter, context)];
}

/** Where a name is today, also if it changed more than once. */
function placeOfToday(before: Place, { names }: Renames): Place | undefined {
  let now: Place | undefined;
  for (const { from, name, to, newName } of names) {
    const current = now ?? before;
    if (from === current.module && name === current.name) now = { module: to, name: newName };
  }
  return now;
}

function noteRemoved(node: ts.Node, { module, name }: Place, renames: Renames): MigrationNote[] {
  const removed = renames.removed.find((each) => each.from === module && each.name === name);
  if (!removed) return [];
  return [noteAt(node, name, { reason: `${module} no longer exports it.`, advice: removed.advice })];
}

function moduleOf(specifier: ts.Node | undefined): string | undefined {
  if (!specifier || !ts.isStringLiteralLike(specifier)) return undefined;
  return specifier.text.startsWith('@toolwright/') ? specifier.text : undefined;
}

/** Every use of an imported name in its file, and what is written there in its place. */
function usesOf(element: Element, name: string, checker: ts.TypeChecker): { node: ts.Node; text: string }[] {
  const uses: { node: ts.Node; text: string }[] = [];
  const symbol = checker.getSymbolAtLocation(element.name);
  const replace = (node: ts.Node, text: string) => uses.push({ node, text });
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isIdentifier(node) || node.text !== element.name.text || node.parent === element) return;
    const { parent } = node;
    if (ts.isShorthandPropertyAssignment(parent)) {
      if (checker.getShorthandAssignmentValueSymbol(parent) === symbol)
        replace(node, `${node.text}: ${name}`);
    } else if (ts.isExportSpecifier(parent)) {
      if (checker.getExportSpecifierLocalTargetSymbol(parent) !== symbol) return;
      if (parent.propertyName === node) replace(node, name);
      else if (!parent.propertyName) replace(node, `${name} as ${node.text}`);
    } else if (checker.getSymbolAtLocation(node) === symbol) replace(node, name);
  };
  visit(element.getSourceFile());
  return uses;
}

/**
 * Names behind a module: `core.TaskDesk` of `import * as core`, and `import('@toolwright/core').TaskDesk`. A name that
 * is in another module now is left to a person, and so is what a dynamic import or `require` takes apart.
 */
function renameQualified(
  file: ts.SourceFile,
  rewriter: Rewriter,
  { checker, renames }: RenameContext,
): MigrationNote[] {
  const notes: MigrationNote[] = [];
  const change = (name: ts.Identifier, module: string, isBinding: boolean) => {
    const before = { module, name: name.text };
    notes.push(...noteRemoved(name, before, renames));
    const now = placeOfToday(before, renames);
    if (!now) return;
    if (now.module === module && !isBinding) rewriter.replace(name, now.name);
    else
      notes.push(
        noteAt(name, name.text, {
          reason: `${module} no longer exports it.`,
          advice: `Take ${now.name} from ${now.module}.`,
        }),
      );
  };
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.name)) {
      const module = namespaceModule(node.expression, checker) ?? loadedModule(node.expression);
      if (module) change(node.name, module, false);
    } else if (ts.isQualifiedName(node)) {
      const module = namespaceModule(node.left, checker);
      if (module) change(node.right, module, false);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const module = moduleOf(node.argument.literal);
      if (module && node.qualifier && ts.isIdentifier(node.qualifier)) change(node.qualifier, module, false);
    } else if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name) && node.initializer) {
      const module = namespaceModule(node.initializer, checker) ?? loadedModule(node.initializer);
      for (const { propertyName, name } of module ? node.name.elements : []) {
        const taken = propertyName ?? name;
        if (ts.isIdentifier(taken)) change(taken, module!, true);
      }
    }
  };
  visit(file);
  return notes;
}

/** The module of a name that `import * as` binds. */
function namespaceModule(node: ts.Node, checker: ts.TypeChecker): string | undefined {
  if (!ts.isIdentifier(node)) return undefined;
  const declaration = checker.getSymbolAtLocation(node)?.declarations?.[0];
  return declaration && ts.isNamespaceImport(declaration)
    ? moduleOf(declaration.parent.parent.moduleSpecifier)
    : undefined;
}

/** The module of `await import('…')`, `import('…')` and `require('…')`. */
function loadedModule(node: ts.Expression): string | undefined {
  if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node)) return loadedModule(node.expression);
  if (!ts.isCallExpression(node)) return undefined;
  const { expression, arguments: words } = node;
  const isLoading =
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(expression) && expression.text === 'require');
  return isLoading ? moduleOf(words[0]) : undefined;
}
