// What of a report is public. A class that is exported as a type, or that only a type leads to, is made by its package
// alone: its constructor is no promise. Nor is what is marked as `@internal`, and what only these two mention.
import ts from 'typescript';

/** A section of a report without what nobody outside of the package can use. */
export function publicPart(section, values) {
  const [fence, ...lines] = section.split('\n');
  const end = lines.pop();
  const file = parse(lines.join('\n'));
  const cuts = file.statements.flatMap(({ name, members = [] }) => {
    const isMade = values.has(name?.text);
    return members.filter((each) => isInternal(each) || (!isMade && ts.isConstructorDeclaration(each)));
  });
  const kept = reachable(file, new Set(cuts));
  const dropped = file.statements.filter((each) => nameOf(each) && !kept.has(nameOf(each)));
  const inner = cuts.filter(({ parent }) => !dropped.includes(parent));
  return [fence, without(file.text, [...dropped, ...inner]), end].join('\n');
}

/** The names that the declarations of an entry export as values. */
export function valuesOf(declarations) {
  return parse(declarations).statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement) && !statement.isTypeOnly)
      return (statement.exportClause?.elements ?? [])
        .filter(({ isTypeOnly }) => !isTypeOnly)
        .map(({ name }) => name.text);
    return isExported(statement) ? (nameOf(statement) ?? []) : [];
  });
}

/** The names of declarations that exported ones lead to. */
function reachable(file, gone) {
  const declarations = new Map();
  for (const each of file.statements)
    declarations.set(nameOf(each), [...(declarations.get(nameOf(each)) ?? []), each]);
  const open = file.statements.filter((each) => isExported(each) || !nameOf(each));
  const kept = new Set(open.map(nameOf));
  const visit = (node, parameters) => {
    if (gone.has(node)) return;
    const isReference = ts.isIdentifier(node) && node.parent.name !== node && !parameters.has(node.text);
    if (isReference && !kept.has(node.text)) {
      kept.add(node.text);
      open.push(...(declarations.get(node.text) ?? []));
    }
    const more = [node.typeParameters ?? [], node.typeParameter ?? []].flat().map(({ name }) => name.text);
    const inner = more.length > 0 ? new Set([...parameters, ...more]) : parameters;
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  for (let each = open.pop(); each !== undefined; each = open.pop()) visit(each, new Set());
  return kept;
}

/** The text without these nodes and the comments before them. */
function without(text, nodes) {
  const ordered = nodes.toSorted((a, b) => b.pos - a.pos);
  return ordered.reduce((rest, { pos, end }) => rest.slice(0, pos) + rest.slice(end), text);
}

const parse = (text) => ts.createSourceFile('entry.d.ts', text, ts.ScriptTarget.Latest, true);

const isInternal = (node) =>
  node.getFullText().slice(0, node.getLeadingTriviaWidth()).includes('// @internal');

const isExported = ({ modifiers }) =>
  modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;

/** The name that a statement declares. Imports and lists of exports declare none. */
function nameOf(statement) {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations[0].name.text;
  return ts.isImportDeclaration(statement) ? undefined : statement.name?.text;
}
