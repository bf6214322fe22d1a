import { readFileSync } from 'node:fs';

export interface GuideBlock {
  language: string;
  /** From `ts file=main.ts`. */
  file?: string;
  text: string;
}

/** The code blocks of the "long way" of a guide, in order. */
export function readGuide(path: string, from: string): GuideBlock[] {
  const page = readFileSync(path, 'utf8');
  const start = page.indexOf(from);
  if (start < 0) throw new Error(`${path} has no "${from}".`);
  return [...page.slice(start).matchAll(/^```(\w+)(?: file=(\S+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language, file, text]) => ({ language: language!, ...(file !== undefined && { file }), text: text! }),
  );
}
