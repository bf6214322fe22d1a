import { getOrMake } from '@toolwright/json';
import { FORMED_PARTS, type SearchedPart, type ToolDocument } from './tool-document.js';
import { BOOSTS, WEIGHTS } from './weights.js';
import type { Postings } from './word-scores.js';

const PARTS = Object.keys(BOOSTS) as SearchedPart[];

/** The tools that have each stem. */
export function stemPostings(documents: readonly ToolDocument[]): Map<string, Postings> {
  const words = new Map<string, Postings>();
  documents.forEach((document, position) => {
    const sums = new Map<string, number>();
    for (const part of PARTS) add(sums, new Set(document[part]), shareOf(document, part));
    post(words, sums, position);
  });
  return words;
}

/** The words of one stem, by their keys. */
export type Forms = ReadonlyMap<string, Postings>;

/** The words of each stem that several words share. A stem of one word needs no second list. */
export function formPostings(documents: readonly ToolDocument[]): Map<string, Forms> {
  const first = new Map<string, string>();
  const shared = new Set<string>();
  for (const { forms } of documents)
    for (const part of FORMED_PARTS)
      for (const { stem, key } of forms[part]) {
        const known = first.get(stem);
        if (known === undefined) first.set(stem, key);
        else if (known !== key) shared.add(stem);
      }
  const words = new Map<string, Postings>();
  documents.forEach((document, position) => {
    const sums = new Map<string, number>();
    for (const part of FORMED_PARTS) {
      const keys = new Set<string>();
      for (const { stem, key } of document.forms[part]) if (shared.has(stem)) keys.add(key);
      add(sums, keys, shareOf(document, part));
    }
    post(words, sums, position);
  });
  const byStem = new Map<string, Map<string, Postings>>();
  for (const [key, postings] of words) {
    const stem = key.slice(0, key.indexOf(' '));
    getOrMake(byStem, stem, () => new Map()).set(key, postings);
  }
  return byStem;
}

/** What a word counts of a part. */
const shareOf = (document: ToolDocument, part: SearchedPart) =>
  BOOSTS[part] / Math.sqrt(Math.max(1, document[part].length));

function add(sums: Map<string, number>, terms: ReadonlySet<string>, share: number): void {
  for (const term of terms) sums.set(term, (sums.get(term) ?? 0) + share);
}

function post(words: Map<string, Postings>, sums: ReadonlyMap<string, number>, position: number): void {
  for (const [term, sum] of sums) {
    const postings = getOrMake(words, term, () => ({ documents: [], impacts: [] }));
    postings.documents.push(position);
    postings.impacts.push(sum / (WEIGHTS.saturation + sum));
  }
}
