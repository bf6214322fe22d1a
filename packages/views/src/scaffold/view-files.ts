import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ViewKind } from '../build/tool-view.js';

/** The views that can be written, and what they are named by default. */
export const newViews = {
  table: { name: 'list_orders', packages: [] },
  chart: { name: 'show_sales', packages: ['uplot'] },
  form: { name: 'book_visit', packages: [] },
  record: { name: 'show_order', packages: [] },
} as const satisfies Record<string, { name: string; packages: readonly string[] }>;

export type NewView = keyof typeof newViews;

export const isNewView = (kind: string): kind is NewView => Object.hasOwn(newViews, kind);

/** The files of a view and of its tool. */
export interface ViewFiles {
  readonly className: string;
  /** The name of the class's file, without an ending. */
  readonly module: string;
  /** Text by path, relative to the folder of the class. */
  readonly files: ReadonlyMap<string, string>;
}

const templates = join(__dirname, '../../templates');

/** @throws {RangeError} if the name has no words, or begins with none */
export function viewFiles(kind: NewView, { name, as }: { name: string; as: ViewKind }): ViewFiles {
  const words = wordsOf(name);
  // Further tools are named after the thing: `show_order` has `cancel_order` beside it.
  const noun = words.length > 1 ? words.slice(1) : words;
  const file = words.join('-');
  const ending = as === 'plain' ? 'ts' : 'tsx';
  const spell = (text: string) =>
    text
      .replaceAll('view_name', words.join('_'))
      .replaceAll('view-name', file)
      .replaceAll('ViewName', pascal(words))
      .replaceAll('viewName', camel(words))
      .replaceAll('view_noun', noun.join('_'))
      .replaceAll('ViewNoun', pascal(noun))
      .replaceAll(`${file}.tsx'`, `${file}.${ending}'`);
  const read = (template: string) => spell(readFileSync(join(templates, kind, template), 'utf8'));
  const component = read(`view.${ending}`);
  const files = new Map([
    [`${file}-tools.ts`, read('tools.ts')],
    [`views/${file}.${ending}`, as === 'preact' ? forPreact(component) : component],
    [`views/${file}.css`, read('view.css')],
  ]);
  if (kind === 'chart') files.set(`views/${file}-drawing.ts`, read('drawing.ts'));
  return { className: `${pascal(words)}Tools`, module: `${file}-tools`, files };
}

/** Components are written so that React and Preact take them alike. Only where the hooks come from differs. */
function forPreact(text: string): string {
  return text
    .replace('@jsxImportSource react', '@jsxImportSource preact')
    .replace("from 'react'", "from 'preact/hooks'");
}

/** What an editor needs to understand views. The server's own project leaves their folder out. */
export function editorProject(as: ViewKind): string {
  const options = {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
    jsx: 'react-jsx',
    ...(as !== 'plain' && { jsxImportSource: as }),
    types: [],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  };
  return `${JSON.stringify({ compilerOptions: options }, null, 2)}\n`;
}

function wordsOf(name: string): string[] {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]+/);
  const isName = name.length <= 50 && /^[a-z]/i.test(name) && words.every((word) => /^[a-z\d]+$/.test(word));
  if (!isName)
    throw new RangeError(`${name} is no name: use words of letters and digits, such as list_orders.`);
  // A method with this name would be none, or replace one that every object has.
  if (camel(words) in Object.prototype || ['then', 'prototype'].includes(camel(words)))
    throw new RangeError(
      `${name} cannot be the name: it has a meaning of its own in JavaScript. Add a word.`,
    );
  return words;
}

const pascal = (words: readonly string[]) =>
  words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
const camel = (words: readonly string[]) => pascal(words)[0]!.toLowerCase() + pascal(words).slice(1);
