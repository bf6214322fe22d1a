import { dirname, relative, resolve, sep } from 'node:path';
import { classId, type ConstructorParameter, type ManifestClass } from '@toolwright/manifest';
import { ts } from 'typescript-json-schema';
import { foldConstant } from '../defaults/fold-constant.js';
import type { Reporter } from '../diagnostics/reporter.js';
import type { PackageSymbols } from '../discover/package-symbols.js';
import { findCoreDecorators } from '../discover/find-decorators.js';
import type { ServiceSite } from '../discover/find-services.js';
import type { Project } from '../program/open-project.js';
import { importSpecifier } from './import-specifier.js';

type ClassSite = Pick<ServiceSite, 'declaration' | 'name'>;

/**
 * The manifest's description of a class: where it is, where its compiled form is imported from, and what its
 * constructor needs.
 */
export function describeClass(
  { declaration, name }: ClassSite,
  project: Project,
  reporter: Reporter,
  core: PackageSymbols,
): ManifestClass {
  const described: ManifestClass = {
    name,
    ...serviceId(declaration, project.checker, core),
    location: reporter.locate(declaration),
    // Always written, because without it the parsed JSON would have the `constructor` of Object.
    constructor: constructorParameters(declaration, project.checker, reporter, core),
  };
  const exported = exportedName(declaration, name);
  if (exported)
    described.module = {
      path: compiledPath(declaration.getSourceFile().fileName, project),
      export: exported,
    };
  return described;
}

function serviceId(
  declaration: ServiceSite['declaration'],
  checker: ts.TypeChecker,
  core: PackageSymbols,
): Pick<ManifestClass, 'id'> {
  const service = findCoreDecorators(declaration, core).find(({ name }) => name === 'McpService');
  const [options] = service?.arguments ?? [];
  const folded = options && (foldConstant(options, checker)?.value as { id?: unknown } | undefined);
  return typeof folded?.id === 'string' ? { id: folded.id } : {};
}

/**
 * The path of the emitted JavaScript, relative to the project's folder, according to `outDir` and `rootDir`.
 */
export function compiledPath(fileName: string, { options, root, program }: Project): string {
  const source = resolve(fileName);
  const base = options.rootDir ?? (options.outDir ? commonFolder(program, root) : dirname(source));
  const target = options.outDir ? resolve(options.outDir, relative(base, source)) : source;
  return relative(root, target.replace(/\.([mc]?)tsx?$/, '.$1js'))
    .split(sep)
    .join('/');
}

/** The deepest folder that contains every source. TypeScript uses it if `rootDir` is not set. */
function commonFolder(program: ts.Program, root: string): string {
  const internal = program as ts.Program & { getCommonSourceDirectory?: () => string };
  return internal.getCommonSourceDirectory?.() ?? root;
}

/** The name under which its module exports a class; undefined if it is not exported. */
export function exportedName(declaration: ServiceSite['declaration'], name: string): string | undefined {
  const flags = ts.getCombinedModifierFlags(declaration as ts.ClassDeclaration);
  if (flags & ts.ModifierFlags.Default) return 'default';
  if (flags & ts.ModifierFlags.Export) return namespacesExported(declaration) ? name : undefined;
  return exportedLater(declaration, name);
}

function namespacesExported(node: ts.Node): boolean {
  for (let at = node.parent; at && !ts.isSourceFile(at); at = at.parent) {
    if (ts.isFunctionLike(at)) return false;
    if (ts.isModuleDeclaration(at) && !(ts.getCombinedModifierFlags(at) & ts.ModifierFlags.Export))
      return false;
  }
  return true;
}

/** `export { PageTools as Tools }` and `export default PageTools` at a later place. */
function exportedLater(declaration: ServiceSite['declaration'], name: string): string | undefined {
  for (const statement of declaration.getSourceFile().statements) {
    if (ts.isExportAssignment(statement) && statement.expression.getText() === name) return 'default';
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier || !statement.exportClause) continue;
    if (!ts.isNamedExports(statement.exportClause)) continue;
    const element = statement.exportClause.elements.find(
      (each) => (each.propertyName ?? each.name).text === name,
    );
    if (element) return element.name.text;
  }
  return undefined;
}

function constructorParameters(
  declaration: ts.ClassLikeDeclaration,
  checker: ts.TypeChecker,
  reporter: Reporter,
  core: PackageSymbols,
): ConstructorParameter[] {
  const symbol = (declaration as ts.Node & { symbol?: ts.Symbol }).symbol;
  const type = symbol && checker.getTypeOfSymbolAtLocation(symbol, declaration);
  const signature = type?.getConstructSignatures()[0];
  if (!signature) return [];
  return signature.getParameters().map((parameter) => {
    const node = parameter.valueDeclaration;
    const isParameter = node !== undefined && ts.isParameter(node);
    const optional = isParameter && (!!node.questionToken || !!node.initializer);
    return {
      name: parameter.getName(),
      ...describeInjectedType(checker.getTypeOfSymbol(parameter), node, { checker, reporter, core }),
      ...(optional ? { optional: true } : {}),
    };
  });
}

/** How the server finds the class that is the type of a parameter, and how messages name this type. */
export function describeInjectedType(
  type: ts.Type,
  place: ts.Declaration | undefined,
  { checker, reporter, core }: { checker: ts.TypeChecker; reporter: Reporter; core: PackageSymbols },
): Pick<ConstructorParameter, 'type' | 'class' | 'imported'> {
  const value = checker.getNonNullableType(type);
  return { type: checker.typeToString(value), ...classReference(value, place, reporter, core) };
}

/** A class of this project is referred to by its key, a class of a package by the name of its import. */
function classReference(
  type: ts.Type,
  place: ts.Declaration | undefined,
  reporter: Reporter,
  core: PackageSymbols,
): Pick<ConstructorParameter, 'class' | 'imported'> {
  const declaration = type.getSymbol()?.valueDeclaration;
  if (!declaration || !ts.isClassLike(declaration)) return {};
  const file = declaration.getSourceFile();
  const path = reporter.relativePath(file.fileName);
  const name = qualifiedName(declaration);
  if (!file.isDeclarationFile && !path.startsWith('..')) return name ? { class: classId(path, name) } : {};
  const specifier = place && importSpecifier(place.getSourceFile(), type.getSymbol()!.getName());
  if (specifier) return { imported: specifier };
  return core.coreType(type)
    ? { imported: { specifier: '@toolwright/core', export: type.getSymbol()!.getName() } }
    : {};
}

/** The name of a class with its namespaces. */
export function qualifiedName(declaration: ts.ClassLikeDeclaration): string | undefined {
  const parts = declaration.name ? [declaration.name.text] : [];
  if (parts.length === 0) return undefined;
  for (let at: ts.Node = declaration.parent; at; at = at.parent) {
    if (ts.isModuleDeclaration(at) && ts.isIdentifier(at.name)) parts.unshift(at.name.text);
  }
  return parts.join('.');
}
