import { searchedText } from '../../ui/records/searched-text.js';
import { methodOf, type MessageRow } from './message-rows.js';

export interface MessageFilter {
  readonly channel: string;
  readonly client: string;
  readonly method: string;
  readonly direction: string;
  readonly onlyErrors: boolean;
  readonly words: readonly string[];
}

/** The messages that fit. Of an exchange that fits by its method, request and answer both do. */
export function filterMessages(rows: readonly MessageRow[], filter: MessageFilter): readonly MessageRow[] {
  const { channel, client, method, direction, onlyErrors, words } = filter;
  if (!channel && !client && !method && !direction && !onlyErrors && words.length === 0) return rows;
  return rows.filter((row) => {
    const { record } = row;
    if (channel && record.channel !== channel) return false;
    if (client && clientOf(row) !== client) return false;
    if (method && methodOf(row) !== method) return false;
    if (direction && record.direction !== direction) return false;
    if (onlyErrors && !row.hasFailed && !row.other?.hasFailed) return false;
    if (words.length === 0) return true;
    const text = searchedText(record);
    return words.every((word) => text.includes(word));
  });
}

export function clientOf({ record }: MessageRow): string | undefined {
  return record.client?.name;
}
