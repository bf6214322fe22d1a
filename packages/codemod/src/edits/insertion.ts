import { ts } from '@toolwright/schema-compiler/project';

/** A name that a file should import. */
export interface NamedImport {
  name: string;
  /** The module as written in the import: a package, or a path relative to the file. */
  from: string;
}

/** Adds imports after the existing ones, with the quotes and line ends of the file. */
export function importInsertion(file: ts.SourceFile, imports: readonly NamedImport[]): Insertion {
  const existing = file.statements.filter(isImport);
  const last = existing.at(-1);
  const { quote, end } = styleOf(existing, file);
  const missing = imports.filter(({ name }) => !existing.some((each) => importsName(each, name)));
  const lines = missing.map(({ name, from }) => `import { ${name} } from ${quote}${from}${quote}${end}`);
  if (last) return { at: last.getEnd(), text: lines.map((line) => `\n${line}`).join('') };
  const at = file.statements[0]?.getStart(file) ?? file.getEnd();
  return { at, text: lines.map((line) => `${line}\n`).join('') };
}

type Import = ts.ImportDeclaration | ts.ImportEqualsDeclaration;

const isImport = (node: ts.Node): node is Import =>
  ts.isImportDeclaration(node) || ts.isImportEqualsDeclaration(node);

function importsName(node: Import, name: string): boolean {
  const named = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : undefined;
  return (
    named !== undefined && ts.isNamedImports(named) && named.elements.some((each) => each.name.text === name)
  );
}

function styleOf(existing: readonly Import[], file: ts.SourceFile): { quote: string; end: string } {
  const text = (existing.at(-1) ?? file.statements[0])?.getText(file) ?? '';
  return { quote: text.includes('"') ? '"' : "'", end: text === '' || text.endsWith(';') ? ';' : '' };
}

/** A piece of text, and the position where it is inserted. */
export interface Insertion {
  at: number;
  text: string;
}

/** Inserts all pieces, with the line ends of the text. */
export function insertAll(text: string, insertions: readonly Insertion[]): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  // From the end, so that earlier positions stay valid.
  return [...insertions]
    .sort((a, b) => b.at - a.at)
    .reduce((now, { at, text }) => now.slice(0, at) + text.replaceAll('\n', lineEnd) + now.slice(at), text);
}

/** The indentation of the line at a position. */
export function indentAt(text: string, position: number): string {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))![0];
}
