import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppOptionsError, type AppOptions } from './app-options.js';
import { forRunner } from './test-runners.js';
import { toolHints } from './tool-hints.js';

export const pieceKinds = ['tool', 'resource', 'prompt'] as const;

/** A tool, resource or prompt to add to an app. */
export interface Piece {
  kind: (typeof pieceKinds)[number];
  /** The name as typed: words, joined by `_`, `-` or capital letters. */
  name: string;
}

/** How the sources of an app are written. */
export interface SourceStyle {
  /** The ending of a relative import. */
  importEnding: '.js' | '';
  /** The program that runs its tests. */
  runner: AppOptions['test'];
}

/** A class with a decorated method, and its test. */
export interface PieceFiles {
  className: string;
  /** The name of the class's file, without an ending. */
  module: string;
  /** The text by file name. */
  files: Map<string, string>;
}

const templates = join(__dirname, '../templates');

/** @throws {AppOptionsError} if the name contains no words */
export function pieceFiles({ kind, name }: Piece, style: SourceStyle): PieceFiles {
  const words = wordsOf(name);
  const Pascal = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  const spell = (text: string) =>
    text
      .replaceAll('readOnlyHint: true', toolHints(words))
      .replaceAll('piece_name', words.join('_'))
      .replaceAll('piece-name', words.join('-'))
      .replaceAll('PieceName', Pascal)
      .replaceAll('pieceName', Pascal[0]!.toLowerCase() + Pascal.slice(1));
  const module = `${words.join('-')}-${kind}`;
  const read = (file: string) => spell(readFileSync(join(templates, 'pieces', file), 'utf8'));
  return {
    className: `${Pascal}${kind[0]!.toUpperCase()}${kind.slice(1)}`,
    module,
    files: new Map([
      [`${module}.ts`, read(`${kind}.ts`)],
      [`${module}.test.ts`, withEnding(forRunner(read(`${kind}.test.ts`), style.runner), style)],
    ]),
  };
}

function wordsOf(name: string): string[] {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]+/);
  if (
    name.length <= 50 &&
    /^[a-z]/.test(name.toLowerCase()) &&
    words.every((word) => /^[a-z\d]+$/.test(word))
  )
    return words;
  throw new AppOptionsError(`${name} is no name: use words of letters and digits, such as send_mail.`);
}

/** Gives relative imports the ending that the app uses. */
export function withEnding(text: string, { importEnding }: Pick<SourceStyle, 'importEnding'>): string {
  return text.replace(/(from '\.[^']*?)\.js';/g, `$1${importEnding}';`);
}
