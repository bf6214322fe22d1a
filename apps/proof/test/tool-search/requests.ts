import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What somebody wants from one of the APIs, in four wordings. */
export interface SearchRequest {
  readonly api: string;
  /** Each of these tools does it. */
  readonly right: ReadonlySet<string>;
  readonly wordings: Readonly<Record<Wording, string>>;
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

/** All requests, in the order of the file. */
export function readRequests(): SearchRequest[] {
  const text = readFileSync(join(__dirname, 'requests.txt'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [api = '', right = '', ...said] = line.split(' | ').map((part) => part.trim());
      return {
        api,
        right: new Set(right.split(',').map((name) => toolName(api, name))),
        wordings: Object.fromEntries(
          wordings.map((wording, at) => [wording, said[at]!]),
        ) as SearchRequest['wordings'],
      };
    });
}

/** Tuning looks at every second request. The others were not looked at while weights and words were chosen. */
export function halves(requests: readonly SearchRequest[]): {
  tuning: SearchRequest[];
  unseen: SearchRequest[];
} {
  return {
    tuning: requests.filter((_, at) => at % 2 === 0),
    unseen: requests.filter((_, at) => at % 2 === 1),
  };
}
