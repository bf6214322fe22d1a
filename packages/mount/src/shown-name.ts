import { cutText, showHiddenInLine } from '@toolwright/json';

/** A name that a server behind has given, for the people who run ours: its beginning, in one line, with nothing hidden. */
export function shownName(name: string): string {
  return cutText(showHiddenInLine(cutText(name, LONGEST, '…')), LONGEST, '…');
}

const LONGEST = 200;
