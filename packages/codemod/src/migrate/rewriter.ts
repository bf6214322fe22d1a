import { ts } from '@toolwright/schema-compiler/project';

/** Text, or a node whose own text is meant, with all edits inside it. */
type Part = string | ts.Node;

interface Edit {
  start: number;
  end: number;
  parts: readonly Part[];
}

/** Replaces pieces of a source file. Edits may lie inside the parts of other edits. */
export class Rewriter {
  private readonly edits: Edit[] = [];

  constructor(private readonly file: ts.SourceFile) {}

  replace(node: ts.Node, ...parts: Part[]): void {
    this.replaceRange(node.getStart(this.file), node.getEnd(), ...parts);
  }

  replaceRange(start: number, end: number, ...parts: Part[]): void {
    this.edits.push({ start, end, parts });
  }

  /** The text of a node after all edits. */
  textOf(node: ts.Node): string {
    return this.render(node.getStart(this.file), node.getEnd());
  }

  /** The text of a range after all edits that lie inside it. */
  render(start: number, end: number, within?: Edit): string {
    const inside = this.edits
      .filter((edit) => edit !== within && edit.start >= start && edit.end <= end)
      // At one place, an insertion comes first. Then comes the widest edit, which decides about those inside it.
      .sort(
        (a, b) => a.start - b.start || Number(b.start === b.end) - Number(a.start === a.end) || b.end - a.end,
      );
    let text = '';
    let at = start;
    for (const edit of inside) {
      if (edit.start < at) continue;
      text += this.file.text.slice(at, edit.start) + this.textOfParts(edit);
      at = edit.end;
    }
    return text + this.file.text.slice(at, end);
  }

  private textOfParts(edit: Edit): string {
    return edit.parts
      .map((part) =>
        typeof part === 'string' ? part : this.render(part.getStart(this.file), part.getEnd(), edit),
      )
      .join('');
  }
}

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
