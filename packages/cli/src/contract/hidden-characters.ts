import { hiddenCharacters, replaceHidden } from '@toolwright/json';
import type { ContractChange } from './change.js';

/** Text that models read and reviewers cannot see is an attack, not a matter of style. */
export function newlyHidden(before: object | undefined, after: object): ContractChange[] {
  const known = hiddenCharacters(JSON.stringify(before ?? {}));
  const found = hiddenCharacters(JSON.stringify(after)).filter((character) => !known.includes(character));
  if (found.length === 0) return [];
  const message = `hides characters that models read and nobody sees: ${found.join(', ')}`;
  return [{ impact: 'breaking', path: '', message }];
}

/** The text without hidden characters. */
export const withoutHidden = (text: string) => replaceHidden(text, () => '');
