import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A part of a guide: a heading of the second level and what follows. */
export interface GuidePart {
  heading: string;
  /** The blocks with the tag `file=`, in order. */
  files: { file: string; text: string }[];
  /** The first block of JSON, if there is one. */
  json?: string;
}

export function readPage(path: string): GuidePart[] {
  const page = readFileSync(join(__dirname, '../../../../docs', path), 'utf8');
  return page.split(/^## /m).map((part) => {
    const files = [...part.matchAll(/^```ts file=(\S+)\n([\s\S]*?)^```$/gm)].map(([, file, text]) => ({
      file: file!,
      text: text!,
    }));
    const json = /^```json\n([\s\S]*?)^```$/m.exec(part)?.[1];
    return { heading: part.slice(0, part.indexOf('\n')), files, ...(json !== undefined && { json }) };
  });
}

/** The settings of the compiler that the tutorial writes. The recipes use them, too. */
export function tutorialSettings(): object {
  return JSON.parse(readPage('tutorial.md').find(({ json }) => json !== undefined)!.json!) as object;
}
