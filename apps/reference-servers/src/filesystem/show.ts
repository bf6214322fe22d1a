import { structured } from '@toolwright/core';

export interface Content {
  content: string;
}

/** The text, as data and for the model. */
export const answer = (content: string) => structured<Content>({ content }, content);

/** A name on one line: a file may be called "a\n[FILE] b". */
export function oneLine(name: string): string {
  return name.replace(/\p{Cc}/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

const UNITS = ['KB', 'MB', 'GB', 'TB'];

export function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  let [size, unit] = [bytes / 1024, 0];
  for (; size >= 1024 && unit < UNITS.length - 1; unit += 1) size /= 1024;
  return `${size.toFixed(2)} ${UNITS[unit]}`;
}
