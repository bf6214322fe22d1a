import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What somebody wants from one of the APIs, in four wordings. */
export interface SearchRequest {
  readonly api: string;
  /** Each of these tools does it. */
  readonly right: ReadonlySet<string>;
  readonly wordings: Readonly<Partial<Record<Wording, string>>>;
}

/**
 * - `first`: what a model sends first
 * - `second`: what it sends when the first search has found nothing, in other words
 * - `own`: a person's own words, without the words of the API
 * - `hint`: what a person says who does not say what is wanted
 */
export type Wording = 'first' | 'second' | 'own' | 'hint';

export const wordings: readonly Wording[] = ['first', 'second', 'own', 'hint'];

/** The longest name that hosts accept. */
const LONGEST_NAME = 64;

/** The name of a tool in a server of several APIs. */
export const toolName = (api: string, name: string): string => `${api}_${name}`.slice(0, LONGEST_NAME);

/** The requests of a file, in its order. */
function read(file: string, order = wordings): SearchRequest[] {
  const text = readFileSync(join(__dirname, file), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [api = '', right = '', ...said] = line.split(' | ').map((part) => part.trim());
      return {
        api,
        right: new Set(right.split(',').map((name) => toolName(api, name))),
        wordings: Object.fromEntries(said.map((text, at) => [order[at]!, text])),
      };
    });
}

/** What nobody has looked at while weights and words were chosen is unseen. */
export interface RequestSets {
  readonly seen: readonly SearchRequest[];
  /** Requests to ten other APIs, in two wordings. They were looked at, too. */
  readonly more: readonly SearchRequest[];
  readonly unseen: readonly SearchRequest[];
  /** Half of the requests that were written later, for another round. */
  readonly laterSeen: readonly SearchRequest[];
  readonly laterUnseen: readonly SearchRequest[];
  /** In a person's own words only. Words and weights were chosen by them. */
  readonly spokenSeen: readonly SearchRequest[];
  /** In a person's own words only. Nothing was searched with them before the search was finished. */
  readonly spokenUnseen: readonly SearchRequest[];
}

/**
 * The authors of the search wrote all requests. None was recorded from a user. Each second request of `requests.txt` and of
 * `later-requests.txt` was not looked at. The later ones were written from lists of operations, drawn at random, before anything
 * was searched with them. Of `requests.txt`, the first thirty were read once more before phrases of everyday speech were written.
 * While the phrases for operations were written, the share that the unseen halves find in a person's own words was counted some
 * times, without their requests. The unseen ones of `spoken-requests.txt` were drawn and written before that, by the author of
 * these phrases, and measured at the end.
 */
export function readRequests(): RequestSets {
  const [seen, unseen] = halves(read('requests.txt'));
  const [laterSeen, laterUnseen] = halves(read('later-requests.txt'));
  return {
    seen,
    unseen,
    laterSeen,
    laterUnseen,
    more: read('more-requests.txt'),
    spokenSeen: read('spoken-tuning.txt', ['own']),
    spokenUnseen: read('spoken-requests.txt', ['own']),
  };
}

const halves = (all: readonly SearchRequest[]) =>
  [0, 1].map((half) => all.filter((_, at) => at % 2 === half)) as [SearchRequest[], SearchRequest[]];
