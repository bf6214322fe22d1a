import { basename } from 'node:path';

/**
 * The title of a Markdown document: `title` of its front matter, else its first first-level heading outside code
 * fences, else its file name.
 */
export function markdownTitle(content: string, file: string): string {
  const frontMatter = /^---\r?\n([\s\S]*?)\r?\n---/.exec(content)?.[1];
  const named = frontMatter && /^title:\s*["']?(.+?)["']?\s*$/m.exec(frontMatter)?.[1];
  return (named || firstHeading(content) || fromFileName(file)).slice(0, 200);
}

function firstHeading(content: string): string | undefined {
  let fence: string | undefined;
  for (const line of content.split('\n')) {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1];
    if (mark) fence = fence === undefined ? mark : fence === mark ? undefined : fence;
    const heading = fence === undefined ? /^#\s+(.+?)\s*#*\s*$/.exec(line)?.[1] : undefined;
    if (heading) return heading.replaceAll('`', '');
  }
  return undefined;
}

function fromFileName(file: string): string {
  return basename(file)
    .replace(/\.(md|markdown)$/i, '')
    .replace(/[-_]+/g, ' ');
}
