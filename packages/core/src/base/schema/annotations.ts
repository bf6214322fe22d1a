const annotations = new Set(
  'title description default examples deprecated readOnly writeOnly $comment $anchor $defs definitions contentEncoding contentMediaType contentSchema'.split(
    ' ',
  ),
);

/** True for keywords that forbid nothing. `$defs` and `$anchor` count only where something refers to them. */
export function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword) || keyword.startsWith('x-');
}
