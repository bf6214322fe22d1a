import { LONGEST_NAME, NameSet, plural, singular, wordsOf } from '@toolwright/json';
import type { ApiOperation } from '../read/openapi-document.js';
import { withoutNames } from './path-places.js';

const VERBS = new Set(
  (
    'abort accept add approve archive assign batch block bulk cancel check clear close complete confirm convert copy count ' +
    'create deactivate delete disable download edit enable execute export fetch find force generate get import invite ' +
    'issue join leave list lock log lookup mark merge move open patch ping poll post preview publish put query read reject ' +
    'release remove rename render replace request reset resolve restore resume retrieve revoke rotate run schedule search ' +
    'send set share show sort start stop submit subscribe sync tag test transfer trigger unblock unlock unsubscribe update ' +
    'upload validate verify void watch'
  ).split(' '),
);

export interface NamedOperation {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
  readonly returnsList: boolean;
}

/**
 * A name for the tool of each operation: lower case, joined by `_`, unique, at most 64 characters. It comes from the
 * operationId, or from the method and the path. Names of an earlier import stay.
 *
 * @param earlier names without the prefix
 * @param prefix is put before each name. The names here are without it, and leave room for it
 */
export function nameTools(
  operations: readonly NamedOperation[],
  earlier: ReadonlyMap<string, string> = new Map(),
  prefix = '',
): Map<string, string> {
  const longest = LONGEST_NAME - prefix.length;
  const drafts = operations.map((each) => ({ each, short: shortName(each), long: longName(each) }));
  const counts = new Map<string, number>();
  for (const { short } of drafts) counts.set(short, (counts.get(short) ?? 0) + 1);
  const names = new NameSet(operations.flatMap(({ key }) => earlier.get(key) ?? []));
  return new Map(
    drafts.map(({ each, short, long }) => {
      const known = earlier.get(each.key);
      if (known !== undefined) return [each.key, known];
      return [each.key, names.take(fit(counts.get(short) === 1 ? short : long, longest), longest)];
    }),
  );
}

/** `issues/list-labels` is `list_labels`, `issues/create` is `create_issue`; a name that two would have is not used. */
function shortName(each: NamedOperation): string {
  const { operationId } = each.operation;
  const [prefix, rest, ...more] = (operationId ?? '').split('/');
  if (operationId === undefined || rest === undefined || more.length > 0) return longName(each);
  const words = wordsOf(rest);
  if (!VERBS.has(words[0] ?? '')) return longName(each);
  if (words.length > 1) return words.join('_');
  const noun = wordsOf(prefix!);
  const last = noun.pop() ?? '';
  return [words[0]!, ...noun, words[0] === 'list' ? plural(last) : singular(last)].join('_');
}

function longName(each: NamedOperation): string {
  const words = wordsOf(each.operation.operationId ?? '');
  if (words.length === 0) return nameOfPath(each);
  const name = words.join('_');
  return /^[a-z]/.test(name) ? name : `call_${name}`;
}

const VERB_OF: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
  HEAD: 'check',
  OPTIONS: 'describe',
  TRACE: 'trace',
};

/** `GET /repos/{owner}/{repo}/issues` is `list_repo_issues`. */
function nameOfPath({ method, path, returnsList }: NamedOperation): string {
  const parts = withoutNames(path)
    .split('/')
    .filter((part) => part !== '' && !/^(?:api|rest|v?\d+(?:\.\d+)*)$/i.test(part));
  const isPlace = (part: string | undefined) => part !== undefined && /^[{:]/.test(part);
  const isList = method === 'GET' && !isPlace(parts.at(-1)) && (returnsList || /s$/.test(parts.at(-1) ?? ''));
  const words = parts.flatMap((part, index) => {
    if (isPlace(part)) return [];
    const all = wordsOf(part.replace(/\{[^{}]*\}/g, ' '));
    const last = all.pop();
    if (last === undefined) return [];
    const isOne = isPlace(parts[index + 1]) || (method === 'POST' && index === parts.length - 1);
    return [...all, isOne ? singular(last) : last];
  });
  const verb = isList ? 'list' : (VERB_OF[method] ?? method.toLowerCase());
  // A path such as `/search` or `/pets/{id}/archive` ends with what it does.
  if (method === 'POST' && VERBS.has(words.at(-1) ?? ''))
    return [words.at(-1)!, ...words.slice(0, -1)].join('_');
  return [verb, ...(words.length > 0 ? words : ['root'])].join('_');
}

/** Leaves out words from the middle, so that the verb and the last words stay. */
function fit(name: string, longest: number): string {
  const words = name.split('_');
  // Counting is quick. Joining thousands of words again and again takes seconds.
  let left = name.length;
  let first = Math.floor(words.length / 2);
  let last = first;
  for (let kept = words.length; kept > 3 && left > longest - 2; kept -= 1) {
    const leaving = Math.floor(kept / 2) < first ? (first -= 1) : last++;
    left -= words[leaving]!.length + 1;
  }
  return [...words.slice(0, first), ...words.slice(last)].join('_').slice(0, longest);
}
