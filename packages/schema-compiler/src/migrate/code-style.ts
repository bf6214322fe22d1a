import { ts } from 'typescript-json-schema';
import type { Constant } from './constants.js';

/** How a file is written, so that new code looks like the old. */
export interface CodeStyle {
  readonly quote: string;
  /** One level of indentation. */
  readonly indent: string;
}

export function codeStyleOf(file: ts.SourceFile): CodeStyle {
  const imports = file.statements
    .filter(ts.isImportDeclaration)
    .map((each) => each.moduleSpecifier.getText(file));
  const double = imports.filter((text) => text.startsWith('"')).length;
  const [, indent = '  '] = /\n(\t| {2,8})(?=[^\s*/])/.exec(file.text) ?? [];
  return { quote: double * 2 > imports.length ? '"' : "'", indent };
}

/** A string literal. */
export function printText(text: string, quote: string): string {
  const json = JSON.stringify(text);
  if (quote === '"') return json;
  return text.includes("'") && !text.includes('"')
    ? json
    : `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** A value as a source writes it: on one line if it is short. */
export function printValue(value: Constant, style: CodeStyle, margin = ''): string {
  if (typeof value === 'string') return printText(value, style.quote);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = margin + style.indent;
  const parts = Array.isArray(value)
    ? value.map((each) => printValue(each, style, inner))
    : Object.entries(value).map(
        ([name, each]) => `${printName(name, style.quote)}: ${printValue(each, style, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const line = Array.isArray(value) ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (!line.includes('\n') && line.length + margin.length <= 90) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${margin}${close}`;
}

/** The name of a property, in quotes if it needs them. */
export function printName(name: string, quote: string): string {
  return isIdentifierName(name) ? name : printText(name, quote);
}

export function isIdentifierName(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

/** Words that cannot name a parameter. */
export function isReserved(name: string): boolean {
  const kind = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, name).scan();
  return (
    kind !== ts.SyntaxKind.Identifier &&
    (kind < ts.SyntaxKind.AbstractKeyword || kind === ts.SyntaxKind.AwaitKeyword)
  );
}
