/** Names that are imported, in their order, whether they are types or values. */
export function importLine(names: readonly string[], from: string, word = 'import'): string {
  const bare = (name: string) => name.replace('type ', '').toLowerCase();
  const sorted = [...names].sort((a, b) => (bare(a) < bare(b) ? -1 : 1));
  const line = `${word} { ${sorted.join(', ')} } from '${from}';\n`;
  return line.length <= 111
    ? line
    : `${word} {\n${sorted.map((name) => `  ${name},\n`).join('')}} from '${from}';\n`;
}
