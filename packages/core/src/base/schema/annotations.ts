const annotations = new Set(
  'title description default examples deprecated readOnly writeOnly $comment $defs definitions contentEncoding contentMediaType contentSchema'.split(
    ' ',
  ),
);

/** True for keywords that forbid nothing. `$defs` counts only where something refers to it. */
export function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword) || keyword.startsWith('x-');
}
