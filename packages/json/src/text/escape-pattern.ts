/** A text as a part of a regular expression. It escapes only what must be escaped with the flag `u`, as patterns of JSON Schema have it. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
