import { dirname, relative, resolve, sep } from 'node:path';
import { classId, type ConstructorParameter, type ManifestClass } from '@toolwright/manifest';
import { symbolOf, baseOf } from '../types/members.js';
import { ts } from '../generator/tjs-adapter.js';
import { foldWritten } from '../defaults/fold-constant.js';
import type { Reporter } from '../diagnostics/reporter.js';
import { type PackageSymbols, findCoreDecorators } from '../discover/package-symbols.js';
import { className, isAbstract, type ServiceSite } from '../discover/find-services.js';
import type { Project } from '../program/open-project.js';
import { fieldsOfDeclaration, outlineOfDeclaration } from './class-outline.js';
import { importSpecifier } from './import-specifier.js';
import { loadedClasses, namesOfLaterClasses } from './loaded-classes.js';

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
  const context = { checker: project.checker, reporter, core };
  for (const later of namesOfLaterClasses(declaration, project)) {
    const detail = `${name} is declared before ${later.getText()}, which its metadata name: its module ends with "Cannot access '${later.getText()}' before initialization".`;
    reporter.report('TW_SCHEMA_LATER_CLASS', detail, later);
  }
  reportInjectedFields(declaration, reporter, core);
  const described: ManifestClass = {
    name,
    ...classIdOption(declaration, project.checker, core),
    ...outlineAndBase(declaration, project.checker, reporter),
    ...loads(declaration, project, reporter),
    ...(isAbstract(declaration) && { abstract: true as const }),
    location: reporter.locate(declaration),
    // Always written, because without it the parsed JSON would have the `constructor` of Object.
    constructor: constructorParameters(declaration, context),
    ...completeParameters(declaration, context),
  };
  const exported = exportedName(declaration, name);
  if (exported)
    described.module = {
      path: compiledPath(declaration.getSourceFile().fileName, project),
      export: exported,
    };
  return described;
}

/** TypeScript only says that the decorator does not fit: the container fills in parameters, never properties. */
function reportInjectedFields(
  { members }: ts.ClassLikeDeclaration,
  reporter: Reporter,
  core: PackageSymbols,
): void {
  for (const member of members) {
    if (!ts.isPropertyDeclaration(member) && !ts.isAccessor(member)) continue;
    const inject = findCoreDecorators(member, core).find(({ name }) => name === 'Inject');
    if (!inject) continue;
    const [name, type] = [member.name.getText(), member.type?.getText() ?? 'unknown'];
    const [token = '…'] = inject.arguments.map((each) => each.getText());
    const kind = ts.isAccessor(member) ? 'an accessor' : 'a property';
    const detail = `${name} is ${kind}, and the container fills in parameters only. Write \`constructor(@Inject(${token}) readonly ${name}: ${type}) {}\`.`;
    reporter.report('TW_SCHEMA_INJECT', detail, inject.node);
  }
}

/** The `id` in the options of the decorator that makes the class a service or injectable. */
function classIdOption(
  declaration: ServiceSite['declaration'],
  checker: ts.TypeChecker,
  core: PackageSymbols,
): Pick<ManifestClass, 'id'> {
  const decorator = findCoreDecorators(declaration, core).find(
    ({ name }) => name === 'McpService' || name === 'Injectable',
  );
  const [options] = decorator?.arguments ?? [];
  const folded = options && (foldWritten(options, checker)?.value as { id?: unknown } | undefined);
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
  // `export const Page = class { … }`: the variable is exported.
  const isHeld = ts.isClassExpression(declaration) && ts.isVariableDeclaration(declaration.parent);
  const flags = ts.getCombinedModifierFlags(
    isHeld ? declaration.parent : (declaration as ts.ClassDeclaration),
  );
  if (isHeld && declaration.parent.name.getText() !== name) return undefined;
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

function outlineAndBase(
  declaration: ServiceSite['declaration'],
  checker: ts.TypeChecker,
  reporter: Reporter,
): Pick<ManifestClass, 'outline' | 'fields' | 'base'> {
  if (declaration.getSourceFile().isDeclarationFile) return {};
  const outline = outlineOfDeclaration(declaration);
  const fields = fieldsOfDeclaration(declaration);
  const parent = baseOf(declaration);
  const base = parent && keyOfClass(checker.getTypeAtLocation(parent), reporter);
  return { ...(outline && { outline }), ...(fields.length > 0 && { fields }), ...(base && { base }) };
}

function loads(
  declaration: ServiceSite['declaration'],
  project: Project,
  reporter: Reporter,
): Pick<ManifestClass, 'loads'> {
  const keys = loadedClasses(declaration, project).flatMap((type) => keyOfClass(type, reporter) ?? []);
  return keys.length > 0 ? { loads: [...new Set(keys)] } : {};
}

/** What the types of parameters are looked up with. */
interface TypeContext {
  checker: ts.TypeChecker;
  reporter: Reporter;
  core: PackageSymbols;
}

function constructorParameters(
  declaration: ts.ClassLikeDeclaration,
  context: TypeContext,
): ConstructorParameter[] {
  const symbol = symbolOf(declaration);
  const type = symbol && context.checker.getTypeOfSymbolAtLocation(symbol, declaration);
  return describeParameters(type?.getConstructSignatures()[0], context);
}

/** A class with a method `complete` may be a completion provider. */
function completeParameters(
  declaration: ts.ClassLikeDeclaration,
  context: TypeContext,
): Pick<ManifestClass, 'complete'> {
  const { checker } = context;
  const symbol = symbolOf(declaration);
  const method = symbol && checker.getDeclaredTypeOfSymbol(symbol).getProperty('complete');
  const type = method && checker.getTypeOfSymbolAtLocation(method, declaration);
  const parameters = describeParameters(type?.getCallSignatures()[0], context);
  return parameters.some(({ class: key, imported }) => key ?? imported) ? { complete: parameters } : {};
}

function describeParameters(
  signature: ts.Signature | undefined,
  context: TypeContext,
): ConstructorParameter[] {
  const parameters = signature?.getParameters() ?? [];
  return parameters.map((parameter) => {
    const node = parameter.valueDeclaration;
    const isParameter = node !== undefined && ts.isParameter(node);
    const optional = isParameter && (!!node.questionToken || !!node.initializer);
    return {
      name: parameter.getName(),
      ...describeInjectedType(context.checker.getTypeOfSymbol(parameter), node, context),
      ...(optional ? { optional: true } : {}),
    };
  });
}

/** How the server finds the class that is the type of a parameter, and how messages name this type. */
export function describeInjectedType(
  type: ts.Type,
  place: ts.Declaration | undefined,
  { checker, reporter, core }: TypeContext,
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
  const declaration = classDeclarationOf(type);
  if (!declaration) return {};
  if (isOwn(declaration, reporter)) {
    const key = keyOfClass(type, reporter);
    return key ? { class: key } : {};
  }
  const specifier = place && importSpecifier(place.getSourceFile(), type.getSymbol()!.getName());
  if (specifier) return { imported: specifier };
  return core.coreType(type)
    ? { imported: { specifier: '@toolwright/core', export: type.getSymbol()!.getName() } }
    : {};
}

function classDeclarationOf(type: ts.Type): ts.ClassLikeDeclaration | undefined {
  const declaration = type.getSymbol()?.valueDeclaration;
  return declaration && ts.isClassLike(declaration) ? declaration : undefined;
}

/** Whether a class is in a source of this project. */
function isOwn(declaration: ts.ClassLikeDeclaration, reporter: Reporter): boolean {
  const file = declaration.getSourceFile();
  return !file.isDeclarationFile && !reporter.relativePath(file.fileName).startsWith('..');
}

/** The key of a class of this project. */
function keyOfClass(type: ts.Type, reporter: Reporter): string | undefined {
  const declaration = classDeclarationOf(type);
  if (!declaration || !isOwn(declaration, reporter)) return undefined;
  const name = qualifiedName(declaration);
  return name && classId(reporter.relativePath(declaration.getSourceFile().fileName), name);
}

/** The name of a class with its namespaces. */
export function qualifiedName(declaration: ts.ClassLikeDeclaration): string | undefined {
  const name = className(declaration);
  if (name === undefined) return undefined;
  const parts = [name];
  for (let at: ts.Node = declaration.parent; at; at = at.parent) {
    if (ts.isModuleDeclaration(at) && ts.isIdentifier(at.name)) parts.unshift(at.name.text);
  }
  return parts.join('.');
}
