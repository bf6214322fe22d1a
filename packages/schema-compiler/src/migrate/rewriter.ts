import type { ts } from 'typescript-json-schema';

/** Text, or a node whose own text is meant, with all edits inside it. */
export type Part = string | ts.Node;

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
