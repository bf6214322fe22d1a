import type { ManifestParameter } from '@toolwright/manifest';
import { ts } from '../generator/tjs-adapter.js';
import type { Reporter } from '../diagnostics/reporter.js';
import type { OperationSite, ServiceSite } from '../discover/find-services.js';
import { type FoundDecorator, type PackageSymbols, findCoreDecorators } from '../discover/package-symbols.js';
import { classifyType, isLibraryType } from '../types/classify-type.js';
import { acceptsNull } from '../types/members.js';

/**
 * One parameter of the compiled signature, with everything that its schema and its value at run time depend
 * on.
 */
export interface SignatureParameter {
  name: string;
  symbol: ts.Symbol;
  declaration: ts.ParameterDeclaration;
  type: ts.Type;
  inject?: ManifestParameter['inject'];
  rest: boolean;
  optional: boolean;
  decorators: FoundDecorator[];
}

/** Types that the framework supplies. The same table hides them from the schema and injects them. */
const INJECTED: { name: 'ToolContext' | 'AbortSignal'; module: 'core' | 'library' }[] = [
  { name: 'ToolContext', module: 'core' },
  { name: 'AbortSignal', module: 'library' },
];

/**
 * Lists the parameters of a signature. A `this` parameter is left out, because it does not exist at run time.
 *
 * @param decorators those of the method: with standard decorators, they name parameters
 * @param overridden the methods that this one overrides, nearest first. An override keeps the decorators of
 * their parameters
 */
export function classifyParameters(
  {
    signature,
    overridden,
    decorators: ofMethod,
  }: {
    signature: ts.Signature;
    overridden: readonly ts.SignatureDeclaration[];
    decorators: FoundDecorator[];
  },
  checker: ts.TypeChecker,
  core: PackageSymbols,
): SignatureParameter[] {
  return signature.getParameters().flatMap((symbol, index) => {
    const declaration = symbol.valueDeclaration;
    if (!declaration || !ts.isParameter(declaration)) return [];
    const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
    const named = ts.isIdentifier(declaration.name);
    const before = decoratorsAt(index, [declaration.parent, ...overridden], core);
    const decorators = [...before, ...decoratorsNaming(symbol.getName(), ofMethod, checker)];
    const isInjected = decorators.some(({ name }) => name === 'Inject');
    return [
      {
        name: named ? symbol.getName() : `arg${index}`,
        symbol,
        declaration,
        type,
        inject: isInjected ? 'provider' : injectedName(type, declaration, checker, core),
        rest: !!declaration.dotDotDotToken,
        optional: !!declaration.questionToken || !!declaration.initializer,
        decorators,
      },
    ];
  });
}

/**
 * The decorators of the parameter at one position, in a method and in the methods that it overrides. For each
 * kind of decorator, the nearest one counts.
 */
function decoratorsAt(
  index: number,
  declarations: readonly ts.SignatureDeclaration[],
  core: PackageSymbols,
): FoundDecorator[] {
  const found: FoundDecorator[] = [];
  for (const { parameters } of declarations) {
    const parameter = withoutThis(parameters)[index];
    const said = new Set(found.map(({ name }) => name));
    if (parameter) found.push(...findCoreDecorators(parameter, core).filter(({ name }) => !said.has(name)));
  }
  return found;
}

/** The decorators of a method that name one of its parameters, and count as decorators of it. */
function decoratorsNaming(
  parameter: string,
  decorators: readonly FoundDecorator[],
  checker: ts.TypeChecker,
): FoundDecorator[] {
  return decorators.filter(({ name, arguments: [given] }) => {
    if (!given) return false;
    if (name === 'Arg' || name === 'Sensitive')
      return ts.isStringLiteralLike(given) && given.text === parameter;
    return (
      name === 'Inject' &&
      checker.getPropertyOfType(checker.getTypeAtLocation(given), parameter) !== undefined
    );
  });
}

function withoutThis(parameters: ts.NodeArray<ts.ParameterDeclaration>): readonly ts.ParameterDeclaration[] {
  const [first] = parameters;
  return first && ts.isIdentifier(first.name) && first.name.text === 'this'
    ? parameters.slice(1)
    : parameters;
}

function injectedName(
  type: ts.Type,
  declaration: ts.ParameterDeclaration,
  checker: ts.TypeChecker,
  core: PackageSymbols,
): SignatureParameter['inject'] {
  const value = checker.getNonNullableType(type);
  for (const { name, module } of INJECTED) {
    if (module === 'core' && coreName(value, declaration, core) === name) return name;
    if (module === 'library' && value.getSymbol()?.getName() === name && isLibraryType(value)) return name;
  }
  return isProvider(value, declaration, core) ? 'provider' : undefined;
}

/** Decorators that make the container create a class wherever it is requested. */
const PROVIDING = new Set(['Injectable', 'McpService']);

/**
 * Whether the container creates a class without a provider, or one of its base classes. The server itself is
 * always available.
 */
function isProvider(type: ts.Type, declaration: ts.ParameterDeclaration, core: PackageSymbols): boolean {
  if (coreName(type, declaration, core) === 'McpServer') return true;
  const symbol = type.getSymbol();
  const own = symbol?.valueDeclaration;
  if (!symbol || !own || !ts.isClassLike(own)) return false;
  if (findCoreDecorators(own, core).some(({ name }) => PROVIDING.has(name))) return true;
  return (type.getBaseTypes() ?? []).some((base) => isProvider(base, declaration, core));
}

/** The name comes from the declaration. If there is none, it comes from the import. */
function coreName(
  type: ts.Type,
  declaration: ts.ParameterDeclaration,
  core: PackageSymbols,
): string | undefined {
  if (type.flags & ts.TypeFlags.Any) return core.coreAnnotation(declaration.type);
  return type.getSymbol() ? core.coreType(type) : undefined;
}

/**
 * Returns the signature that runs, which is that of the implementation. If overloads hide it, that is
 * reported. The signature is read from the concrete class, so that the type arguments of generic base classes
 * are filled in.
 */
export function pickSignature(
  service: ServiceSite,
  site: OperationSite,
  checker: ts.TypeChecker,
  reporter: Reporter,
): { signature: ts.Signature; declaration: ts.SignatureDeclaration } {
  const signatures = checker.getTypeOfSymbolAtLocation(site.method, service.declaration).getCallSignatures();
  const declarations = (site.method.declarations ?? []).filter(ts.isFunctionLike);
  const implementation = declarations.find((each) => 'body' in each && each.body) ?? declarations.at(-1);
  if (signatures.length > 1 && implementation) {
    reporter.report(
      'TW_SCHEMA_OVERLOADS',
      `${site.name} has ${signatures.length} overloads.`,
      implementation,
    );
  }
  const overloaded = declarations.length > 1 && implementation;
  const own = overloaded ? checker.getSignatureFromDeclaration(implementation) : signatures[0];
  const declaration = own?.getDeclaration() ?? implementation;
  if (!own || !declaration) throw new Error(`${service.name}.${site.name} is decorated but is not a method.`);
  return { signature: own, declaration };
}

/**
 * A single parameter is the whole input if it is a plain object or a DTO. A map is not flattened: its keys
 * are data, and without the name of the parameter nothing would explain them.
 */
export function isFlattened(type: ts.Type, checker: ts.TypeChecker): boolean {
  const value = checker.getNonNullableType(type);
  const special = classifyType(value, checker);
  if (special?.kind === 'parameter') return !!special.constraint && isFlattened(special.constraint, checker);
  if (acceptsNull(type) || !(value.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return false;
  if (special || checker.isArrayLikeType(value)) return false;
  return checker.getPropertiesOfType(value).length > 0 || checker.getIndexInfosOfType(value).length === 0;
}
