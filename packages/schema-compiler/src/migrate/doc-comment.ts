/** Whether a text reads the same after a trip through a doc comment. */
export function fitsComment(text: string): boolean {
  return !/\*\/|\{@|\r/.test(text) && !/^\s*@/m.test(text) && text.trim() === text && !/[ \t]$/m.test(text);
}

/** A doc comment, with its tags below the text. Empty if it would say nothing. */
export function docComment(text: string, tags: readonly string[], margin: string): string {
  const lines = [...(text === '' ? [] : text.split('\n')), ...tags];
  if (lines.length === 0) return '';
  const [first] = lines;
  if (lines.length === 1) return `${margin}/** ${first} */\n`;
  const body = lines.map((line) => `${margin} *${line === '' ? '' : ` ${line}`}\n`);
  return `${margin}/**\n${body.join('')}${margin} */\n`;
}
