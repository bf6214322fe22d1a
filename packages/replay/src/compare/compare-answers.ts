import { canonicalJson, isObject } from '@toolwright/json';
import { type KeptAnswer, type Members } from '../read/kept-call.js';
import {
  type Compared,
  type AnswerDifference,
  compareValues,
  type Measure,
  shown,
} from './compare-values.js';

/** What kind of thing is other than it was. */
export type DifferenceKind = 'results' | 'errors' | 'contract';

export interface ComparedAnswers extends Compared {
  readonly kind: DifferenceKind;
}

/** Says in words what changed between two lists of tools. */
export type DescribeChanges = (before: readonly object[], after: readonly object[]) => readonly string[];

interface AnswerMeasure extends Measure {
  readonly method: string;
  readonly changes?: DescribeChanges | undefined;
}

/** Compares what was answered with what is answered now. */
export function compareAnswers(
  recorded: KeptAnswer,
  replayed: KeptAnswer,
  measure: AnswerMeasure,
): ComparedAnswers {
  const failed = [recorded, replayed].map(isFailed);
  if (failed[0] !== failed[1]) {
    const words = failed[1] ? 'a result became an error' : 'an error became a result';
    const difference = { path: '', recorded: inShort(recorded), replayed: inShort(replayed), words };
    return { kind: 'errors', differences: [difference], hidden: 0 };
  }
  const kind = failed[0] ? 'errors' : measure.method.endsWith('/list') ? 'contract' : 'results';
  const [before, now] = withoutRepetition(comparable(recorded), comparable(replayed));
  measure.ids.see(before, now, measure.family);
  const compared = compareValues(before, now, measure);
  const told =
    kind === 'contract' && compared.differences.length > 0 ? toolChanges(before, now, measure) : [];
  if (told.length === 0) return { kind, ...compared };
  return { kind, hidden: compared.hidden, differences: told };
}

function toolChanges(before: Members, now: Members, { method, changes }: AnswerMeasure): AnswerDifference[] {
  const [old, tools] = [before['tools'], now['tools']];
  if (method !== 'tools/list' || !changes || !Array.isArray(old) || !Array.isArray(tools)) return [];
  return changes(old as object[], tools as object[]).map((words) => ({ path: '', words }));
}

const isFailed = (answer: KeptAnswer): boolean => 'error' in answer || answer.result['isError'] === true;

/** The first words of an answer. */
function inShort(answer: KeptAnswer): string {
  if ('error' in answer) return shown(answer.error['message']);
  const { content, structuredContent } = answer.result;
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return shown(
    isObject(first) && typeof first['text'] === 'string'
      ? first['text']
      : (structuredContent ?? answer.result),
  );
}

/** What belongs to one connection or one revision, and says nothing of what a tool does. */
const OF_CONNECTION: ReadonlySet<string> = new Set(['resultType', 'ttlMs', 'cacheScope', 'requestState']);

function comparable(answer: KeptAnswer): Members {
  if ('error' in answer) return answer.error;
  const { _meta: meta, nextCursor, ...rest } = answer.result;
  const result = Object.fromEntries(Object.entries(rest).filter(([name]) => !OF_CONNECTION.has(name)));
  const kept = isObject(meta)
    ? Object.entries(meta).filter(
        ([name]) => !name.startsWith('io.modelcontextprotocol/') && name !== 'retryAfterMs',
      )
    : [];
  return {
    ...result,
    ...(kept.length > 0 && { _meta: Object.fromEntries(kept) }),
    // A place to read on is a secret of the server. That there is one says that there is more.
    ...(nextCursor != null && { nextCursor: true }),
  };
}

/** Most servers write a structured result a second time, as text. A difference in both is one. */
function withoutRepetition(before: Members, now: Members): [Members, Members] {
  if (!repeatsItself(before) || !repeatsItself(now)) return [before, now];
  const [{ content: _, ...was }, { content: __, ...is }] = [before, now];
  return [was, is];
}

function repeatsItself({ content, structuredContent }: Members): boolean {
  if (!isObject(structuredContent) || !Array.isArray(content) || content.length !== 1) return false;
  const { type, text } = (content[0] ?? {}) as { type?: unknown; text?: unknown };
  if (type !== 'text' || typeof text !== 'string') return false;
  // The official server for files wraps its text: `{ content: text }`.
  const [only, ...more] = Object.values(structuredContent);
  if (more.length === 0 && only === text) return true;
  try {
    const value = canonicalJson(JSON.parse(text));
    return value === canonicalJson(structuredContent) || (more.length === 0 && value === canonicalJson(only));
  } catch {
    return false;
  }
}
