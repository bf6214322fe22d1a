import { getOrMake } from '@toolwright/json';
import { ts } from '../generator/tjs-adapter.js';
import { joinLines } from './paragraphs.js';

/** A tag of a doc comment, with its text as written. */
export interface CommentTag {
  readonly name: string;
  /** With its line breaks, because it may be code. */
  readonly text: string;
  readonly node: ts.JSDocTag;
}

/** A doc comment, as its author means it. */
export interface CommentParts {
  readonly description: string;
  readonly tags: readonly CommentTag[];
}

const known = new WeakMap<ts.JSDoc, CommentParts>();

/**
 * Reads a doc comment. TypeScript finds its tags, but takes a line of code that begins with `@` for a tag, cuts the
 * text there, and drops parts of links. So the text is read from the source.
 */
export function partsOfComment(doc: ts.JSDoc): CommentParts {
  return getOrMake(known, doc, () => readParts(doc));
}

/** The doc comment of a tag, which may be below another tag. */
export function commentOf(tag: ts.Node): ts.JSDoc {
  return ts.isJSDoc(tag) ? tag : commentOf(tag.parent);
}

/** TypeScript takes `@param {string} o.pin` below `@param {object} o` for a part of the type of `o`. */
function withTagsBelow(tag: ts.JSDocTag): ts.JSDocTag[] {
  return [tag, ...(typeOfTagsBelow(tag)?.jsDocPropertyTags ?? []).flatMap(withTagsBelow)];
}

function typeOfTagsBelow(tag: ts.JSDocTag): ts.JSDocTypeLiteral | undefined {
  const type: ts.Node | undefined = ts.isJSDocParameterTag(tag) ? tag.typeExpression?.type : undefined;
  return type && ts.isJSDocTypeLiteral(type) ? type : undefined;
}

function readParts(doc: ts.JSDoc): CommentParts {
  const { text } = doc.getSourceFile();
  const end = text.startsWith('*/', doc.end - 2) ? doc.end - 2 : doc.end;
  const fences = [...fencesIn(text, doc.pos, end), ...indentedCode(text, doc.pos, end)];
  const tags = (doc.tags ?? [])
    .flatMap(withTagsBelow)
    .map((node) => ({ node, start: text.indexOf('@', node.pos) }))
    .filter(({ start }) => !fences.some((fence) => fence.start < start && start < fence.end));
  const pieces = tags.map(({ node }, index) => {
    const written = text.slice(textStart(node, text), tags[index + 1]?.start ?? end);
    return { name: node.tagName.text, text: withoutLinks(linesOf(written).join('\n')).trim(), node };
  });
  const own = linesOf(text.slice(doc.pos + 3, tags[0]?.start ?? end));
  return { description: textOf(own.join('\n')), tags: pieces };
}

/** A text for people: links are words, and the lines of a paragraph are joined. */
export function textOf(written: string): string {
  return joinLines(withoutLinks(written).replace(/\{@inheritDoc\b[^}]*\}/gi, ''));
}

/** Where the text of a tag begins. Only the name of a parameter is not a part of it. */
function textStart(node: ts.JSDocTag, text: string): number {
  if (!ts.isJSDocParameterTag(node)) return node.tagName.end;
  const end = Math.max(node.name.end, typeOfTagsBelow(node) ? 0 : (node.typeExpression?.end ?? 0));
  if (!node.isBracketed) return end;
  // `[limit=[1, 2]]`
  let depth = 1;
  for (let at = node.name.end; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '[') depth++;
    else if (text[at] === ']' && --depth === 0) return Math.max(at + 1, end);
  }
  return end;
}

/** The lines of a part of a comment, without the `*` before each line. */
function linesOf(text: string): string[] {
  const [first = '', ...others] = text.split(/\r?\n/);
  const isStarred = others.every((line) => /^\s*(?:\*|$)/.test(line));
  if (isStarred) return [first, ...others.map((line) => line.replace(/^\s*\*? ?/, ''))];
  const indents = others.flatMap((line) => (line.trim() === '' ? [] : [/^\s*/.exec(line)![0].length]));
  const least = Math.min(...indents);
  return [first, ...others.map((line) => line.slice(least).replace(/^\*(?: |$)/, ''))];
}

/** A fence may follow a tag: `@example ```ts`. */
const FENCE = /^[\t ]*(?:\/\*\*|\*)?[\t ]*(?:@\w+[\t ]+|[-*+][\t ]+|\d+[.)][\t ]+)?(`{3,}|~{3,})(.*)$/gm;

/** The code fences of a comment. One without an end does not count, so that it hides no tag. */
function fencesIn(text: string, start: number, end: number): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let open: { mark: string; start: number } | undefined;
  for (const { 1: mark = '', 2: rest = '', index } of text.slice(start, end).matchAll(FENCE)) {
    if (!open) {
      // A span of code on one line: ```code```.
      if (!rest.includes(mark)) open = { mark, start: start + index + mark.length };
    } else if (mark.startsWith(open.mark) && rest.trim() === '') {
      found.push({ start: text.indexOf('\n', open.start), end: start + index });
      open = undefined;
    }
  }
  return found;
}

/**
 * Blocks of code that are indented by four spaces, below a blank line. A block that begins with a tag does not count, so
 * that it hides no mark of somebody who indents tags.
 */
function indentedCode(text: string, start: number, end: number): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let [isBelowBlank, isInCode, isInList] = [false, false, false];
  let at = start;
  for (const line of text.slice(start, end).split('\n')) {
    const content = /^\s*\* ?(.*?)\s*$/.exec(line)?.[1];
    const isIndented = content !== undefined && /^(?: {4}|\t)\s*\S/.test(content);
    const isTag = /^\s*@[a-z][\w.-]*(?:\s|$)/.test(content ?? '');
    if (isIndented && isInCode) found.at(-1)!.end = at + line.length;
    else if (content !== '') {
      isInCode = isIndented && isBelowBlank && !isInList && !isTag;
      if (isInCode) found.push({ start: at, end: at + line.length });
      if (!isIndented) isInList = /^\s*(?:[-*+]|\d+[.)])\s/.test(content ?? '');
    }
    isBelowBlank = content === '';
    at += line.length + 1;
  }
  return found;
}

/** `{@link A.b | words}` is shown as its words, and `{@link A.b}` as the name. An address stays. */
function withoutLinks(text: string): string {
  return text.replace(
    /\{@link(?:code|plain)?\s+([^{}|\s]+)\s*(?:\|\s*)?([^{}]*)\}/g,
    (_all, to: string, said: string) => {
      const words = said.replace(/\s+/g, ' ').trim();
      if (words === '') return to;
      return to.includes('://') ? `${words} (${to})` : words;
    },
  );
}
