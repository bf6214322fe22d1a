import { visible } from '../terminal/visible-text.js';

/** A doc comment with its lines; empty if there is no text. */
export function docComment(text: string | undefined, indent: string): string {
  if (text === undefined || text.trim() === '') return '';
  const lines = commentText(text).trim().split(/\r?\n/);
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** Text of a server cannot end the comment, hide in it, or give instructions to the compiler. */
function commentText(text: string): string {
  return visible(text)
    .replaceAll('*/', '*\\/')
    .replace(/@(?=ts-|jsx)/g, '\\@');
}
