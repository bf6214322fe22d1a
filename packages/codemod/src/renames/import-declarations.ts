import { ts } from '@toolwright/schema-compiler/project';
import type { Rewriter } from '../migrate/rewriter.js';

/** An import, or a re-export, of a module. */
export type Declaration = (ts.ImportDeclaration | ts.ExportDeclaration) & {
  moduleSpecifier: ts.StringLiteral;
};
export type Element = ts.ImportSpecifier | ts.ExportSpecifier;

/** A name as a declaration lists it, such as `Now as Before`, without `type`. */
interface Name {
  text: string;
  isType: boolean;
}

/** What a declaration becomes: the names that it has then, and what other modules give in its place. */
interface Plan {
  names: (Name & { element?: Element })[];
  added: Map<string, Name[]>;
}

export function isDeclaration(node: ts.Statement): node is Declaration {
  return (
    (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
    node.moduleSpecifier !== undefined &&
    ts.isStringLiteral(node.moduleSpecifier)
  );
}

export function elementsOf(declaration: Declaration): readonly Element[] {
  return clauseOf(declaration)?.elements ?? [];
}

/** Moves names between the imports and re-exports of a file. */
export class DeclarationRewriter {
  private readonly plans = new Map<Declaration, Plan>();

  constructor(private readonly file: ts.SourceFile) {}

  /**
   * @param module where the name is now; the module of the declaration, if only the name changes
   * @param text the name as the new declaration lists it
   */
  move(element: Element, module: string, text: string): void {
    const from = element.parent.parent as ts.Node;
    const declaration = (isStatement(from) ? from : from.parent) as Declaration;
    const plan = this.planOf(declaration);
    const at = plan.names.findIndex((name) => name.element === element);
    const isType = isTypeOnly(declaration) || element.isTypeOnly;
    const name = { text, isType };
    if (module === declaration.moduleSpecifier.text) {
      plan.names.splice(at, 1, { ...name, element });
      return;
    }
    plan.names.splice(at, 1);
    const target = ts.isImportDeclaration(declaration) ? this.importOf(module, isType) : undefined;
    const list = target ? this.planOf(target).names : (plan.added.get(module) ?? []);
    if (!list.some((each) => each.text === text)) list.push(name);
    if (!target) plan.added.set(module, list);
  }

  /** Writes all declarations that changed. */
  write(rewriter: Rewriter): void {
    for (const [declaration, { names, added }] of this.plans) {
      const news = [...added].map(([module, list]) => newDeclaration(declaration, module, list));
      const end = declaration.getEnd();
      if (names.length === 0) {
        // With the last name, its line goes.
        const rest = news.length === 0 ? /^[ \t]*\r?\n/.exec(this.file.text.slice(end))?.[0].length : 0;
        rewriter.replaceRange(declaration.getStart(), end + (rest ?? 0), news.join('\n'));
        continue;
      }
      const clause = clauseOf(declaration)!;
      const texts = names.map((name) => nameText(name, isTypeOnly(declaration)));
      rewriter.replace(clause, listText(clause, texts));
      rewriter.replaceRange(end, end, news.map((each) => `\n${each}`).join(''));
    }
  }

  private planOf(declaration: Declaration): Plan {
    const names = () =>
      elementsOf(declaration).map((element) => ({
        element,
        text: element.getText().replace(/^type\s+/, ''),
        isType: element.isTypeOnly,
      }));
    const plan = this.plans.get(declaration) ?? { names: names(), added: new Map<string, Name[]>() };
    this.plans.set(declaration, plan);
    return plan;
  }

  /** The import of a module that can take one more name. */
  private importOf(module: string, isType: boolean): Declaration | undefined {
    return this.file.statements
      .filter(isDeclaration)
      .find(
        (each) =>
          ts.isImportDeclaration(each) &&
          each.moduleSpecifier.text === module &&
          clauseOf(each) !== undefined &&
          (isType || !isTypeOnly(each)),
      );
  }
}

function isStatement(node: ts.Node): boolean {
  return ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
}

function clauseOf(declaration: Declaration): ts.NamedImports | ts.NamedExports | undefined {
  const clause = ts.isImportDeclaration(declaration)
    ? declaration.importClause?.namedBindings
    : declaration.exportClause;
  return clause && (ts.isNamedImports(clause) || ts.isNamedExports(clause)) ? clause : undefined;
}

function isTypeOnly(declaration: Declaration): boolean {
  return ts.isImportDeclaration(declaration)
    ? declaration.importClause?.isTypeOnly === true
    : declaration.isTypeOnly;
}

function nameText({ text, isType }: Name, isAllTypes: boolean): string {
  return isType && !isAllTypes ? `type ${text}` : text;
}

/** One line, or a line for each name if the list before had several. */
function listText(clause: ts.NamedImports | ts.NamedExports, names: readonly string[]): string {
  const before = clause.getText();
  if (!before.includes('\n')) return `{ ${names.join(', ')} }`;
  const indent = /\n([ \t]*)\S/.exec(before)?.[1] ?? '  ';
  return `{\n${names.map((name) => `${indent}${name},\n`).join('')}}`;
}

/** A declaration of the same kind for another module, with the quotes and the end of this one. */
function newDeclaration(like: Declaration, module: string, names: readonly Name[]): string {
  const keyword = ts.isImportDeclaration(like) ? 'import' : 'export';
  const isAllTypes = names.every(({ isType }) => isType);
  const list = names.map((name) => nameText(name, isAllTypes)).join(', ');
  const quote = like.moduleSpecifier.getText()[0]!;
  const end = like.getText().endsWith(';') ? ';' : '';
  return `${keyword} ${isAllTypes ? 'type ' : ''}{ ${list} } from ${quote}${module}${quote}${end}`;
}
