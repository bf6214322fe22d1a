import { ts } from 'typescript-json-schema';
import type { Rewriter } from './rewriter.js';

/** Moves the lines of a node to another margin. The lines of texts over several lines stay as they are. */
export function indentLines(
  node: ts.Node,
  from: string,
  to: string,
  file: ts.SourceFile,
  rewriter: Rewriter,
): void {
  const inTexts = new Set<number>();
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  const visit = (each: ts.Node): void => {
    if (ts.isTemplateExpression(each) || ts.isNoSubstitutionTemplateLiteral(each))
      for (let line = lineOf(each.getStart(file)) + 1; line <= lineOf(each.getEnd()); line += 1)
        inTexts.add(line);
    ts.forEachChild(each, visit);
  };
  visit(node);
  const starts = file.getLineStarts();
  for (let line = lineOf(node.getStart(file)) + 1; line <= lineOf(node.getEnd()); line += 1) {
    const start = starts[line]!;
    const isBlank = /^\s*$/.test(file.text.slice(start, file.text.indexOf('\n', start)));
    if (isBlank || inTexts.has(line) || !file.text.startsWith(from, start)) continue;
    if (from !== to) rewriter.replaceRange(start, start + from.length, to);
  }
}
