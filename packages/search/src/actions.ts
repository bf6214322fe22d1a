import { stem } from './words.js';

/** The verbs of APIs, by what they do. A tool that does something else is rarely meant. */
const ACTIONS: Readonly<Record<string, string>> = {
  read: 'get fetch retrieve read show view describe see lookup list all enumerate browse search find query check download export',
  create:
    'create add new make insert post register open generate write compose upload issue provision invite set-up',
  change: 'update edit change modify patch set put alter rename replace move mark',
  delete: 'delete remove destroy drop erase purge trash revoke detach kick unfollow unpin',
  cancel: 'cancel abort void stop pause disable',
  send: 'send deliver notify email',
};

const byVerb = new Map(
  Object.entries(ACTIONS).flatMap(([action, verbs]) =>
    verbs.split(' ').map((verb) => [stem(verb), action] as const),
  ),
);

/** What a verb does, by its stem; `undefined` for any other word. */
export function actionOf(term: string): string | undefined {
  return byVerb.get(term);
}

export const isVerb = (term: string): boolean => byVerb.has(term);
