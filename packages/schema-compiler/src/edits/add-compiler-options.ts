import { ts } from 'typescript-json-schema';
import { insertAll } from './insertion.js';

/**
 * Adds options to a tsconfig, before the existing ones. Comments stay.
 *
 * @returns undefined if the file has no `compilerOptions` of its own, or none that options can be added to
 */
export function addCompilerOptions(
  text: string,
  options: Readonly<Record<string, boolean>>,
): string | undefined {
  const file = ts.parseJsonText('tsconfig.json', text);
  const root = file.statements[0]?.expression;
  if (!root || !ts.isObjectLiteralExpression(root)) return undefined;
  const own = root.properties
    .filter(ts.isPropertyAssignment)
    .find(({ name }) => ts.isStringLiteral(name) && name.text === 'compilerOptions')?.initializer;
  if (!own || !ts.isObjectLiteralExpression(own)) return undefined;
  const [first] = own.properties;
  if (!first) return undefined;
  const start = first.getStart(file);
  // The blanks between the brace and the first option also separate the options.
  const gap = /\s*$/.exec(text.slice(0, start))![0];
  const lines = Object.entries(options).map(([name, value]) => `"${name}": ${value},${gap}`);
  return insertAll(text, [{ at: start, text: lines.join('').replaceAll('\r\n', '\n') }]);
}
