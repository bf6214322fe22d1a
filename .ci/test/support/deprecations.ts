import ts from 'typescript';

/** A name with the tag `@deprecated`, as its source writes it. */
export interface Deprecation {
  name: string;
  /** The text after the tag. */
  advice: string;
  /** Names that stand beside it: members of the same type, or what the same file exports. */
  siblings: string[];
  /** How a value warns at run time; undefined for types, which are gone at run time. */
  warning: { code: string; text: string } | undefined;
  isType: boolean;
}

/** What a file deprecates. Only the file is read, so a whole repository takes a second. */
export function deprecationsOf(file: string, text: string): Deprecation[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const found: Deprecation[] = [];
  const visit = (node: ts.Node): void => {
    const advice = adviceOf(node, text);
    if (advice !== undefined) found.push({ advice, ...describe(node) });
    else node.forEachChild(visit);
  };
  visit(source);
  return found;
}

/** The compiler attaches no comments to the parts of an export list, so the text before each of them is read. */
function adviceOf(node: ts.Node, text: string): string | undefined {
  const tag = ts.getJSDocDeprecatedTag(node);
  if (tag !== undefined) return ts.getTextOfJSDocComment(tag.comment) ?? '';
  if (!ts.isExportSpecifier(node)) return undefined;
  return /@deprecated ([^*]*?)\s*\*\/\s*$/.exec(text.slice(node.getFullStart(), node.getStart()))?.[1];
}

function describe(node: ts.Node): Omit<Deprecation, 'advice'> {
  if (ts.isExportSpecifier(node)) {
    const isType = node.isTypeOnly;
    return { name: node.name.text, siblings: [], warning: undefined, isType };
  }
  if (ts.isVariableStatement(node)) {
    const [{ name, initializer }] = node.declarationList.declarations as unknown as [ts.VariableDeclaration];
    return { name: name.getText(), siblings: [], warning: warningOf(initializer), isType: false };
  }
  const { name } = node as ts.NamedDeclaration;
  const members = ts.isInterfaceDeclaration(node.parent) ? [...node.parent.members] : [];
  return {
    name: name?.getText() ?? '',
    siblings: members.flatMap((member) => member.name?.getText() ?? []),
    warning: undefined,
    isType: ts.isTypeElement(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node),
  };
}

/** `deprecate(function, text, code)` of node:util. */
function warningOf(value: ts.Expression | undefined): Deprecation['warning'] {
  if (value === undefined || !ts.isCallExpression(value) || value.expression.getText() !== 'deprecate')
    return;
  const [, text, code] = value.arguments;
  if (text === undefined || code === undefined || !ts.isStringLiteral(text) || !ts.isStringLiteral(code))
    return;
  return { text: text.text, code: code.text };
}
