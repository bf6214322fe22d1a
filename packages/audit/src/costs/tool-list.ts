import { count, isVisibleTo, type ToolInList } from '@toolwright/json';
import { LISTED_INSTEAD } from './short-lists.js';
import type { PartOfList, Tally } from './tally.js';

/** What models see of a list of tools. */
export class ToolList {
  /** Each name once. */
  readonly shown: readonly ToolInList[];
  /** The names of tools that only pages see. */
  readonly ofPages: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;
  /** The list is short: models find the other tools by a search, or their programs do. */
  readonly #isShort: boolean;

  constructor(tools: readonly ToolInList[]) {
    const all = [...new Map([...tools].reverse().map((tool) => [tool.name, tool])).values()].reverse();
    this.shown = all.filter((tool) => isVisibleTo('model', tool));
    this.#names = new Set(this.shown.map(({ name }) => name));
    this.ofPages = new Set(all.map(({ name }) => name).filter((name) => !this.#names.has(name)));
    this.#isShort = this.shown.some(({ name }) => LISTED_INSTEAD.has(name));
  }

  partOf(name: string): PartOfList {
    if (this.ofPages.has(name)) return 'pages';
    if (this.#names.has(name)) return 'listed';
    return this.#isShort ? 'found' : 'unlisted';
  }
}

/** What no figure has, in sentences. */
export function leftOutOf({ ofPages }: ToolList, { tools, unlisted }: Tally): string[] {
  const hidden =
    `${count(ofPages.size, 'tool')} of the list (${few([...ofPages])}) can be called by pages only. ` +
    'Models do not see them, so that they and their calls are left out.';
  const calls = [...unlisted.values()].reduce((sum, each) => sum + each.calls, 0);
  const from = tools.size === 0 ? 'No called tool is in the list. ' : '';
  const foreign =
    `${from}${count(unlisted.size, 'called tool')} with ${count(calls, 'call')} not in the list: ${few([...unlisted.keys()])}. ` +
    'They have no part in the sums and in the advice. Give the list of the server that wrote the log.';
  return [...(ofPages.size > 0 ? [hidden] : []), ...(unlisted.size > 0 ? [foreign] : [])];
}

/** How many names a sentence has. */
const NAMED = 3;

const few = (names: readonly string[]) =>
  names.slice(0, NAMED).join(', ') + (names.length > NAMED ? `, and ${names.length - NAMED} more` : '');
