import { searchedText } from '../../ui/records/searched-text.js';
import { stateOf, type CallRow } from './call-rows.js';

export interface CallFilter {
  readonly name: string;
  readonly state: string;
  readonly client: string;
  readonly words: readonly string[];
}

export function filterCalls(rows: readonly CallRow[], filter: CallFilter): readonly CallRow[] {
  const { name, state, client, words } = filter;
  if (!name && !state && !client && words.length === 0) return rows;
  return rows.filter((row) => {
    if (name && row.call.name !== name) return false;
    if (state && stateOf(row) !== state) return false;
    if (client && clientOf(row) !== client) return false;
    if (words.length === 0) return true;
    const text = searchedText(row.call);
    return words.every((word) => text.includes(word));
  });
}

export function clientOf({ call: { client } }: CallRow): string | undefined {
  return client?.name;
}
