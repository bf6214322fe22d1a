import { symbolOf, baseOf } from '../types/members.js';
import { ts } from '../generator/tjs-adapter.js';
import { type FoundDecorator, type PackageSymbols, findCoreDecorators } from './package-symbols.js';

export type OperationKind = 'tool' | 'prompt' | 'resource' | 'resourceTemplate' | 'completion';

const KINDS: Record<string, OperationKind> = {
  McpTool: 'tool',
  McpPrompt: 'prompt',
  McpResource: 'resource',
  McpResourceTemplate: 'resourceTemplate',
  // For the protocol an app is a resource like any other.
  McpApp: 'resource',
  CompletionProvider: 'completion',
};

/**
 * A decorated method of one concrete class. The class declares it, or inherits it from a base class or mixin.
 */
export interface OperationSite {
  method: ts.Symbol;
  name: string;
  static: boolean;
  kinds: OperationKind[];
  decorators: FoundDecorator[];
  /** The declarations that it overrides, nearest first. */
  overridden: ts.SignatureDeclaration[];
  /** Why the decorator makes no operation where it is. The build fails then. */
  misplaced?: string;
}

/** A concrete class with at least one decorated method. */
export interface ServiceSite {
  declaration: ts.ClassDeclaration | ts.ClassExpression;
  /** With the names of its namespaces. */
  name: string;
  type: ts.InterfaceType;
  operations: OperationSite[];
}

/** Finds the concrete classes of a file that have decorated methods, in source order. */
export function findServices(
  file: ts.SourceFile,
  checker: ts.TypeChecker,
  core: PackageSymbols,
): ServiceSite[] {
  return findClasses(file).flatMap(({ declaration, name }) => {
    if (!mayServe(declaration)) return [];
    const symbol = checker.getSymbolAtLocation(declaration.name ?? declaration) ?? symbolOf(declaration);
    if (!symbol) return [];
    const type = checker.getDeclaredTypeOfSymbol(symbol) as ts.InterfaceType;
    const statics = checker.getTypeOfSymbolAtLocation(symbol, declaration);
    const finder = new OperationFinder(checker, core);
    const found = [
      ...finder.find(checker.getPropertiesOfType(type), false),
      ...finder.find(checker.getPropertiesOfType(statics), true),
      ...finder.findInvoke(declaration, type),
    ];
    // The classes that extend an abstract one have its operations. What is misplaced is reported where it is written.
    const operations = found.filter((site) =>
      site.misplaced === undefined ? !isAbstract(declaration) : isWrittenIn(declaration, site),
    );
    return operations.length > 0 ? [{ declaration, name, type, operations }] : [];
  });
}

/**
 * Every class of a file that other files can name, also in namespaces. Local classes only count if they are
 * mixins.
 */
export function findClasses(
  file: ts.SourceFile,
): { declaration: ts.ClassDeclaration | ts.ClassExpression; name: string }[] {
  const found: { declaration: ts.ClassDeclaration | ts.ClassExpression; name: string }[] = [];
  const visit = (node: ts.Node, path: string[]): void => {
    if (ts.isModuleDeclaration(node) && ts.isIdentifier(node.name)) {
      if (node.body) visit(node.body, [...path, node.name.text]);
      return;
    }
    if (ts.isClassLike(node)) {
      const name = className(node);
      if (name) found.push({ declaration: node, name: [...path, name].join('.') });
    }
    ts.forEachChild(node, (child) => visit(child, path));
  };
  visit(file, []);
  return found;
}

/** The classes that exist once per module: not the classes that a function creates when it is called. */
export function findModuleClasses(file: ts.SourceFile): ReturnType<typeof findClasses> {
  return findClasses(file).filter(({ declaration }) => !isInFunction(declaration));
}

function isInFunction(node: ts.Node): boolean {
  for (let at = node.parent; at; at = at.parent) if (ts.isFunctionLike(at)) return true;
  return false;
}

/** The name of a class in its module: its own, that of the variable that holds it, or `default`. */
export function className(node: ts.ClassLikeDeclaration): string | undefined {
  if (node.name) return node.name.text;
  if (ts.isClassDeclaration(node)) return 'default';
  if (ts.isVariableDeclaration(node.parent) && ts.isIdentifier(node.parent.name))
    return node.parent.name.text;
  return undefined;
}

export function isAbstract(node: ts.Declaration): boolean {
  return (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Abstract) !== 0;
}

/** Nobody looks at a mixin by itself, so its mistakes are those of the classes that use it. */
function isWrittenIn(owner: ts.ClassLikeDeclaration, { method, decorators }: OperationSite): boolean {
  const isMixed = ({ parent }: ts.Declaration) => ts.isClassLike(parent) && !mayServe(parent);
  return (
    decorators.some(({ node }) => node.parent === owner) ||
    (method.declarations ?? []).some((each) => each === owner || each.parent === owner || isMixed(each))
  );
}

/** Why a decorator at this member makes no operation. */
function misplacedAt({ valueDeclaration: member, escapedName }: ts.Symbol): string | undefined {
  if (!member || !ts.isClassElement(member) || !member.name) return undefined;
  const name = member.name.getText();
  if (ts.isPropertyDeclaration(member)) return `${name} is a property. ${WRITE_METHOD}`;
  if (ts.isAccessor(member)) return `${name} is an accessor. ${WRITE_METHOD}`;
  if (ts.isPrivateIdentifier(member.name))
    return `${name} is private, and nothing outside of the class can call it.`;
  const hidden = HIDDEN.find(([flag]) => ts.getCombinedModifierFlags(member) & flag)?.[1];
  if (hidden)
    return `${name} is ${hidden}, and every client may call an operation. Make the method public, or remove the decorator.`;
  if (escapedName.toString().startsWith('__@')) return `${name} is a symbol, and an operation needs a name.`;
  if (isAbstract(member))
    return `${name} is abstract. Decorate the method of the class that extends this one.`;
  return undefined;
}

/** What TypeScript alone hides: the running program has these methods like any other. */
const HIDDEN = [
  [ts.ModifierFlags.Private, 'private'],
  [ts.ModifierFlags.Protected, 'protected'],
] as const;

const WRITE_METHOD = 'Write `name(…) { … }`: a function in a property is not a method.';

/** A fast check of the syntax. The type checker is not asked about classes without our decorators. */
function mayServe(node: ts.ClassLikeDeclaration): boolean {
  const base = baseOf(node);
  if (base) return !isMixin(node, base);
  if (ts.isClassDeclaration(node) && ts.getDecorators(node)) return true;
  return node.members.some((member) => ts.canHaveDecorators(member) && ts.getDecorators(member));
}

/**
 * `class extends Base`, where `Base` is a parameter of the surrounding function. Only the results of that
 * function are concrete.
 */
function isMixin(node: ts.ClassLikeDeclaration, { expression }: ts.ExpressionWithTypeArguments): boolean {
  if (!ts.isIdentifier(expression)) return false;
  for (let at: ts.Node = node.parent; at; at = at.parent) {
    if (!ts.isFunctionLike(at)) continue;
    const named = (parameter: ts.ParameterDeclaration) =>
      ts.isIdentifier(parameter.name) && parameter.name.text === expression.text;
    if (at.parameters.some(named)) return true;
  }
  return false;
}

const MEMBERS = ts.SymbolFlags.Method | ts.SymbolFlags.Property | ts.SymbolFlags.Accessor;

const found = (misplaced: string | undefined) => (misplaced === undefined ? {} : { misplaced });

class OperationFinder {
  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly core: PackageSymbols,
  ) {}

  find(members: ts.Symbol[], isStatic: boolean): OperationSite[] {
    const sites: OperationSite[] = [];
    for (const member of members) {
      if (!(member.flags & MEMBERS)) continue;
      const decorators = this.decoratorsOf(member, isStatic);
      const kinds = decorators.flatMap(({ name }) => KINDS[name] ?? []);
      if (kinds.some((kind) => kind !== 'completion')) {
        sites.push({
          method: member,
          name: memberName(member),
          static: isStatic,
          kinds: [...new Set(kinds)],
          decorators,
          overridden: this.overriddenBy(member, isStatic),
          ...found(misplacedAt(member)),
        });
      }
    }
    return sites;
  }

  /** `@McpTool` on a class makes its `invoke` method the tool. */
  findInvoke(declaration: ts.ClassLikeDeclaration, type: ts.InterfaceType): OperationSite[] {
    const decorators = findCoreDecorators(declaration, this.core);
    const kinds = [...new Set(decorators.flatMap(({ name }) => KINDS[name] ?? []))];
    if (kinds.length === 0) return [];
    const site = { name: 'invoke', static: false, kinds, decorators };
    const method = this.checker.getPropertyOfType(type, 'invoke');
    if (!method) {
      const misplaced = `${className(declaration) ?? 'The class'} has no method \`invoke\`, which the decorator of the class makes the operation.`;
      return [{ ...site, method: type.symbol, overridden: [], misplaced }];
    }
    if (this.find([method], false).length > 0) return [];
    return [{ ...site, method, overridden: this.overriddenBy(method, false), ...found(misplacedAt(method)) }];
  }

  private overriddenBy(member: ts.Symbol, isStatic: boolean): ts.SignatureDeclaration[] {
    const owner = member.declarations?.[0]?.parent;
    if (!owner || !ts.isClassLike(owner) || !owner.heritageClauses) return [];
    const inherited = this.baseMember(owner, member, isStatic);
    if (!inherited) return [];
    const declarations = (inherited.declarations ?? []).filter(ts.isFunctionLike);
    return [...declarations, ...this.overriddenBy(inherited, isStatic)];
  }

  /**
   * An overriding method keeps the decorators of the method that it overrides, as in core's metadata at run
   * time.
   */
  private decoratorsOf(member: ts.Symbol, isStatic: boolean): FoundDecorator[] {
    const own = (member.declarations ?? []).flatMap((declaration) => [
      ...findCoreDecorators(declaration, this.core),
      ...this.appliedTo(declaration),
    ]);
    const owner = member.declarations?.[0]?.parent;
    if (!owner || !ts.isClassLike(owner) || !owner.heritageClauses) return own;
    const inherited = this.baseMember(owner, member, isStatic);
    if (!inherited) return own;
    const said = new Set(own.map(({ name }) => name));
    return [...own, ...this.decoratorsOf(inherited, isStatic).filter(({ name }) => !said.has(name))];
  }

  /** `@McpTool` inside a decorator of the author. Its options are known when the program runs. */
  private appliedTo(declaration: ts.Declaration): FoundDecorator[] {
    if (!ts.isMethodDeclaration(declaration)) return [];
    return (ts.getDecorators(declaration) ?? []).flatMap((node): FoundDecorator[] => {
      const { expression } = node;
      if (this.core.exportOf(ts.isCallExpression(expression) ? expression.expression : expression)) return [];
      const name = this.core.applies(expression, (each) => Object.hasOwn(KINDS, each));
      return name === undefined ? [] : [{ name, package: '@toolwright/core', node, arguments: [expression] }];
    });
  }

  private baseMember(
    owner: ts.ClassLikeDeclaration,
    member: ts.Symbol,
    isStatic: boolean,
  ): ts.Symbol | undefined {
    const symbol = symbolOf(owner);
    if (!symbol) return undefined;
    if (isStatic) {
      const base = baseOf(owner);
      return (
        base &&
        this.checker.getPropertyOfType(this.checker.getTypeAtLocation(base.expression), member.getName())
      );
    }
    const type = this.checker.getDeclaredTypeOfSymbol(symbol) as ts.InterfaceType;
    for (const base of this.checker.getBaseTypes(type)) {
      const found = this.checker.getPropertyOfType(base, member.getName());
      if (found) return found;
    }
    return undefined;
  }
}

function memberName(symbol: ts.Symbol): string {
  return ts.unescapeLeadingUnderscores(symbol.escapedName);
}
