import { createHash } from 'node:crypto';
import { defaultTreeAdapter, type DefaultTreeAdapterTypes as Tree, parse } from 'parse5';

export interface SealOptions {
  /** Origins from which the document loads scripts. Default: none. */
  readonly scriptOrigins?: readonly string[];
}

/**
 * Adds a policy to a document that lets only its own scripts run: each by its hash, and those of the origins that it names.
 * Hosts allow every inline script, because they cannot know which ones belong to a page. With this policy, markup that came
 * in with data runs nothing in any host, even if the page makes the mistake to insert it.
 *
 * A parser finds the scripts and the place of the policy: a `<head>` in a comment, in a title or in a script is only text.
 *
 * @throws {Error} if a browser would find no policy at the beginning of the head, or tags stand within each other without end
 */
export function sealDocument(html: string, { scriptOrigins = [] }: SealOptions = {}): string {
  const wrong = scriptOrigins.find((origin) => !/^[\w.:/*[\]-]+$/.test(origin));
  if (wrong !== undefined) throw new Error(`${JSON.stringify(wrong)} is no origin of scripts.`);
  // A byte order mark in a text is a character of the page, and the doctype behind it would not count.
  const text = html.replace(/^\ufeff/, '');
  const document = read(text);
  const hashes = scriptsIn(document).map((script) => `'${hashOf(script)}'`);
  const sources = [...new Set([...hashes, ...scriptOrigins])].join(' ') || "'none'";
  const policy = `script-src ${sources}; object-src 'none'; base-uri 'none'`;
  const at = placeIn(document);
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  const sealed = text.slice(0, at) + meta + text.slice(at);
  if (!isSealed(read(sealed), { policy, mode: document.mode }))
    throw new Error(
      'This page has no place for a policy that comes before everything else. Write <!doctype html> and <head>.',
    );
  return sealed;
}

/** Browsers nest 512 elements and no more. A parser takes more than linear time for open tags. */
const MOST_LEVELS = 1_000;

function read(html: string): Tree.Document {
  let levels = 0;
  const treeAdapter = {
    ...defaultTreeAdapter,
    onItemPush() {
      levels += 1;
      if (levels > MOST_LEVELS)
        throw new Error(
          `This page has more than ${MOST_LEVELS} tags within each other. Close the tags that it opens.`,
        );
    },
    onItemPop() {
      levels -= 1;
    },
  };
  return parse(html, { sourceCodeLocationInfo: true, treeAdapter });
}

/** The parser has made one line feed of each kind of line end, as that of a browser does before it compares the hash. */
function hashOf(script: string): string {
  return `sha256-${createHash('sha256').update(script).digest('base64')}`;
}

const isElement = (node: Tree.Node): node is Tree.Element => 'tagName' in node;

/** The texts of inline scripts, also of those in templates. */
function scriptsIn(node: Tree.Node): string[] {
  if (isElement(node) && node.tagName === 'script') {
    // Those of SVG name their address otherwise.
    const isLoaded = node.attrs.some(
      ({ name }) => name === 'src' || (name === 'href' && node.namespaceURI.endsWith('svg')),
    );
    return isLoaded ? [] : [node.childNodes.map((child) => ('value' in child ? child.value : '')).join('')];
  }
  const inside = 'content' in node ? [node.content] : 'childNodes' in node ? node.childNodes : [];
  return inside.flatMap(scriptsIn);
}

/** The offset behind the tag of the head, or behind what comes before a head that is not written. */
function placeIn(document: Tree.Document): number {
  const root = document.childNodes.find(isElement)!;
  const doctype = document.childNodes.find(({ nodeName }) => nodeName === '#documentType');
  const tags = [headOf(root), root].map(({ sourceCodeLocation }) => sourceCodeLocation?.startTag?.endOffset);
  return tags.find((end) => end !== undefined) ?? doctype?.sourceCodeLocation?.endOffset ?? 0;
}

/** Every document has a head, also one that does not write it. */
const headOf = (root: Tree.Element): Tree.Element =>
  root.childNodes.filter(isElement).find(({ tagName }) => tagName === 'head')!;

/** True if the policy is the first element of the head, and the doctype counts as before. */
function isSealed(
  document: Tree.Document,
  { policy, mode }: { readonly policy: string; readonly mode: Tree.Document['mode'] },
): boolean {
  const first = headOf(document.childNodes.find(isElement)!).childNodes.find(isElement);
  const attributes = new Map(first?.attrs.map(({ name, value }) => [name, value]));
  return (
    first?.tagName === 'meta' &&
    attributes.get('http-equiv') === 'Content-Security-Policy' &&
    attributes.get('content') === policy &&
    document.mode === mode
  );
}
