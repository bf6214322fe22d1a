import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getOrMake } from '@toolwright/json';
import { ts } from '../generator/tjs-adapter.js';
import type { PackageSymbols } from '../discover/package-symbols.js';
import { meaningOf } from '../types/members.js';

/** What a decorator does that belongs to no known package. */
interface Scanned {
  /** It adds constraints or transformations. */
  readonly matters: boolean;
  /**
   * It checks or changes the value in a way that a schema cannot express. `@Schema` inside the decorator can
   * describe it.
   */
  readonly isCustom: boolean;
}

const HARMLESS: Scanned = { matters: false, isCustom: false };
const CUSTOM: Scanned = { matters: true, isCustom: true };

/** Functions that define the author's own check or transformation. */
const OWN_CHECKS = new Set(['registerDecorator', 'ValidateBy', 'Validate', 'ValidatePromise', 'Transform']);

/** Packages whose decorators only describe and never check. */
const DESCRIBING = /[\\/]node_modules[\\/]@nestjs[\\/](?:swagger|graphql)[\\/]/;

const MAX_DEPTH = 4;

/** Reads the functions that a decorator consists of, without running any. */
export class DecoratorScanner {
  private readonly known = new Map<ts.Symbol, Scanned>();
  readonly validatorUse = new ValidatorUse();

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly symbols: PackageSymbols,
  ) {}

  scan({ expression }: ts.Decorator): Scanned {
    const callee = ts.isCallExpression(expression) ? expression.expression : expression;
    const symbol = meaningOf(callee, this.checker);
    if (!symbol) return CUSTOM;
    const scanned = this.scanSymbol(symbol);
    // `@applyDecorators(IsString())`: the arguments of the call count as well.
    const handed = ts.isCallExpression(expression) ? this.scanNodes(expression.arguments) : HARMLESS;
    return { matters: scanned.matters || handed.matters, isCustom: scanned.isCustom || handed.isCustom };
  }

  /** Whether a property belongs to a class whose decorators are in no file that can be read. */
  isHidden({ parent }: ts.Declaration): boolean {
    if (!ts.isClassLike(parent)) return false;
    const { isDeclarationFile, fileName } = parent.getSourceFile();
    return isDeclarationFile && this.validatorUse.of(fileName);
  }

  /** Whether code mentions decorators that check or change values. */
  mentionsRules(code: ts.Node): boolean {
    return this.scanNodes([code]).matters;
  }

  private scanSymbol(symbol: ts.Symbol): Scanned {
    return getOrMake(this.known, symbol, () => this.scanDeclaration(symbol));
  }

  private scanDeclaration(symbol: ts.Symbol): Scanned {
    const declaration = symbol.declarations?.[0];
    if (!declaration) return CUSTOM;
    const { fileName, isDeclarationFile } = declaration.getSourceFile();
    if (!isDeclarationFile) return this.scanNodes([declaration]);
    if (symbol.getName() === 'applyDecorators') return HARMLESS;
    return DESCRIBING.test(fileName) || !this.validatorUse.of(fileName) ? HARMLESS : CUSTOM;
  }

  private scanNodes(nodes: readonly ts.Node[]): Scanned {
    const names = new Set<string>();
    const seen = new Set<ts.Node>();
    for (const node of nodes) this.collect(node, { names, seen, depth: 0 });
    const isSaid = names.has('@toolwright/core Schema');
    return { matters: names.size > 0, isCustom: !isSaid && [...OWN_CHECKS].some((name) => names.has(name)) };
  }

  private collect(node: ts.Node, found: { names: Set<string>; seen: Set<ts.Node>; depth: number }): void {
    if (seenBefore(node, found)) return;
    if (ts.isIdentifier(node)) this.follow(node, found);
    ts.forEachChild(node, (child) => {
      if (!ts.isTypeNode(child)) this.collect(child, found);
    });
  }

  private follow(
    name: ts.Identifier,
    found: { names: Set<string>; seen: Set<ts.Node>; depth: number },
  ): void {
    const exported = this.symbols.exportOf(name);
    if (exported) {
      const { package: owner, name: known } = exported;
      if (owner === 'class-validator' || owner === 'class-transformer') found.names.add(known);
      else if (known === 'Schema') found.names.add(`${owner} Schema`);
      return;
    }
    const declaration = meaningOf(name, this.checker)?.declarations?.[0];
    const isOwn =
      declaration && !declaration.getSourceFile().isDeclarationFile && !ts.isParameter(declaration);
    if (isOwn && found.depth < MAX_DEPTH && !isEnclosing(declaration, name))
      this.collect(declaration, { ...found, depth: found.depth + 1 });
  }
}

function seenBefore(node: ts.Node, { seen }: { seen: Set<ts.Node> }): boolean {
  if (seen.has(node)) return true;
  seen.add(node);
  return false;
}

function isEnclosing(declaration: ts.Node, node: ts.Node): boolean {
  for (let at: ts.Node | undefined = node; at; at = at.parent) if (at === declaration) return true;
  return false;
}

interface Dependencies {
  name?: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** Packages whose decorators say something about values. */
const DECORATING = ['class-validator', 'class-transformer', '@toolwright/core'];

/**
 * Whether classes of a package may have decorators that say something about values. This is so if the package depends on
 * one that has such decorators. Its declaration files, the only files that can be read, do not show
 * decorators.
 */
export class ValidatorUse {
  /** Results per package, because one package of an SDK may have a thousand declaration files. */
  private readonly known = new Map<string, boolean>();

  of(declarationFile: string): boolean {
    return this.ofFolder(dirname(declarationFile));
  }

  private ofFolder(folder: string): boolean {
    return getOrMake(this.known, folder, () => this.read(folder));
  }

  private read(folder: string): boolean {
    const parent = dirname(folder);
    if (parent === folder) return false;
    const { name, dependencies, peerDependencies } = readPackage(folder);
    if (name === undefined) return this.ofFolder(parent);
    const used = { ...dependencies, ...peerDependencies };
    return DECORATING.some((each) => each in used);
  }
}

function readPackage(folder: string): Dependencies {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Dependencies;
  } catch {
    return {};
  }
}
