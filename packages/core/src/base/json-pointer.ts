/** The names and indexes along a JSON pointer (RFC 6901). */
export function pointerTokens(pointer: string): string[] {
  const tokens = pointer.split('/').slice(1);
  return pointer.includes('~') ? tokens.map(fromPointerToken) : tokens;
}

/** Writes a name as a token of a JSON pointer. */
export function pointerToken(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}

/** Returns the name for a token of a JSON pointer. */
export function fromPointerToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
