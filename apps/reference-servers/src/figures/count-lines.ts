import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { createPrinter, createSourceFile, ScriptTarget } from 'typescript';

/** Lines that are not empty, after both sides went through the same formatter. */
export interface LineCount {
  /** With comments. */
  all: number;
  /** Without comments. */
  code: number;
}

/** Counts the TypeScript or JavaScript of a folder. */
export async function countLines(folder: string): Promise<LineCount> {
  const count: LineCount = { all: 0, code: 0 };
  for (const name of readdirSync(folder).filter((each) => /(?<!\.d)\.[jt]s$/.test(each))) {
    const text = readFileSync(join(folder, name), 'utf8');
    count.all += await filledLines(text);
    count.code += await filledLines(withoutComments(text));
  }
  return count;
}

/** The printer of the compiler breaks its own lines, but the formatter comes after it. */
function withoutComments(text: string): string {
  const source = createSourceFile('source.ts', text, ScriptTarget.ES2022);
  return createPrinter({ removeComments: true }).printFile(source);
}

async function filledLines(text: string): Promise<number> {
  const formatted = await format(text, { parser: 'typescript', printWidth: 110, singleQuote: true });
  return formatted.split('\n').filter((line) => line.trim()).length;
}
