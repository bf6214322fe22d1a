import { ToolError } from '@toolwright/core';

export interface Edit {
  /**
   * text that is there now; differences in spaces at the ends of its lines do not matter
   * @minLength 1
   */
  oldText: string;
  /** text that is to be there instead */
  newText: string;
}

/** Makes the edits one after the other, each at the first place that fits. Line ends are `\n`. */
export function editText(text: string, edits: readonly Edit[]): string {
  return edits.reduce((current, { oldText, newText }) => {
    const [before, after] = [oldText, newText].map(withPlainLineEnds) as [string, string];
    const at = current.indexOf(before);
    if (at >= 0) return current.slice(0, at) + after + current.slice(at + before.length);
    return replaceLoosely(current.split('\n'), before.split('\n'), after.split('\n'));
  }, text);
}

export function withPlainLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Compares lines without the spaces around them, and indents the new ones as the old ones were. */
function replaceLoosely(lines: string[], before: string[], after: string[]): string {
  const at = lines.findIndex(
    (_line, start) =>
      start + before.length <= lines.length &&
      before.every((line, offset) => line.trim() === lines[start + offset]!.trim()),
  );
  if (at < 0)
    throw new ToolError(`This text is not in the file, so nothing was changed:\n${before.join('\n')}`);
  const base = indentOf(lines[at]!);
  const indented = after.map((line, index) => {
    if (index === 0) return base + line.trimStart();
    const [was, is] = [indentOf(before[index] ?? ''), indentOf(line)];
    return was && is ? base + ' '.repeat(Math.max(0, is.length - was.length)) + line.trimStart() : line;
  });
  return [...lines.slice(0, at), ...indented, ...lines.slice(at + before.length)].join('\n');
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

/** A patch in a Markdown block, whose fence is longer than any in the patch. */
export async function patchOf(path: string, before: string, after: string): Promise<string> {
  const { createTwoFilesPatch } = await import('diff');
  const patch = createTwoFilesPatch(path, path, before, after, 'original', 'modified');
  const longest = Math.max(2, ...(patch.match(/`+/g) ?? []).map((fence) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${patch}${fence}\n\n`;
}
