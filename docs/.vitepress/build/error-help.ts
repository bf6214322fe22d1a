import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspace.js';

/** What a page says about a code beside what it means. */
export interface ErrorHelp {
  /** How somebody comes to meet it. */
  cause: string;
  remedy: string;
  /** A block of Markdown. */
  example: string;
  /** The link is relative to `docs`. */
  guide: { title: string; link: string };
}

const folder = join(root, 'docs/.vitepress/errors');

/** The help for all codes, from the pages in `docs/.vitepress/errors`. */
export function allHelp(): Map<string, ErrorHelp> {
  const pages = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return new Map(pages.flatMap((page) => page.split(/^## /m).slice(1).map(readHelp)));
}

let known: Map<string, ErrorHelp> | undefined;

/** @throws {Error} for a code that nobody has explained */
export function helpOf(code: string): ErrorHelp {
  known ??= allHelp();
  const help = known.get(code);
  if (help === undefined) throw new Error(`No page in docs/.vitepress/errors explains ${code}.`);
  return help;
}

/** One part of a page: the code, its cause, its remedy, an example, and a guide. */
export function readHelp(part: string): [code: string, help: ErrorHelp] {
  const form =
    /^(TW_\w+)\n\n\*\*Cause\.\*\* ([^]+?)\n\n\*\*Remedy\.\*\* ([^]+?)\n\n(```[^]+?\n```)\n\nGuide: \[(.+)\]\(\.\.\/\.\.\/(.+)\)\n*$/;
  const [, code, cause, remedy, example, title, link] = form.exec(part) ?? [];
  if (code === undefined) throw new Error(`This explanation of an error lacks a part:\n${part}`);
  return [
    code,
    {
      cause: inOneLine(cause!),
      remedy: inOneLine(remedy!),
      example: example!,
      guide: { title: title!, link: link! },
    },
  ];
}

const inOneLine = (text: string) => text.replaceAll('\n', ' ');
