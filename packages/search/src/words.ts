import { stemmer } from 'stemmer';
import { KeptWords } from './kept-words.js';
import { segmentWords } from './segments.js';

/** Words that say nothing about what a tool does. */
const EMPTY = new Set(
  (
    'a an the of for to in on at by with from into as and or not is are be been was were will would can could ' +
    'should may might must do does did this that these those it its i me my we our us you your he she his her they ' +
    'them their there here which who whom whose what when where how all any some each every one please want need ' +
    'like just let lets via per than then so if but about up out have has had get give make using use used ' +
    '的 了 我 我们 你 您 请 帮 给 把 个 一个 这个 那个 这 那 是 和 或 在 对 为 要 想 需要 让 从 到 請 幫 給 這個 們 ' +
    'を の に は が で と も へ や し て た な か する して した い くだ さい ください です ます から まで この その こと ' +
    'ให้ ของ ที่ และ หรือ ใน จาก เป็น ฉัน ผม ช่วย ต้องการ นี้ นั้น การ หน่อย ครับ ค่ะ'
  ).split(' '),
);

/** The few of these words that name an operation. They count in names, and where nothing else is left of a query. */
const VERBS = new Set(['get', 'give', 'make', 'use', 'list', 'want']);

const stems = new KeptWords((word) => (word.length > 3 ? stemmer(word) : word));

/** The stem of a word: `deleting` and `deletes` have one. */
export const stem = (word: string): string => stems.of(word);

/** A word, and what it shares with other words. */
export interface WordForm {
  readonly stem: string;
  /** The stem and the form. */
  readonly key: string;
}

const forms = new KeptWords(formOf);

/**
 * The form of a word is the word without the endings of grammar: `customers` and `customer` have one, `deleting` and `delete`,
 * too. Words of one stem that differ in their form are other words: `customs` and `customer`, `general` and `generate`.
 */
export const wordForm = (word: string): WordForm => forms.of(word);

function formOf(word: string): WordForm {
  const form = word
    .replace(/ies$/, 'y')
    .replace(/(?<=s|x|z|ch|sh)es$|(?<![siu])s$/, '')
    // Whether a syllable is left is asked last: a query may be one word of a thousand letters.
    .replace(/(?:ed|ing)$(?<=[aeiouy].*[^aeiou](?:ed|ing))/, '')
    .replace(/e$/, '')
    .replace(/([^aeiou])\1$/, '$1');
  const stemmed = stem(word);
  return { stem: stemmed, key: `${stemmed} ${form}` };
}

/**
 * The words of a text or an identifier, in lower case: `listOrgRepos` has three, `OAuth2Token` has three, too. Tools and queries
 * are split by this function, so that both have the same words.
 */
export const splitWords = (text: string): string[] => segmentWords(text, spacedWords);

function spacedWords(text: string): string[] {
  return (
    text
      .replace(/['’]s?\b/g, '')
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      // It looks around one place: a run of capitals without an end would be read again from each of them.
      .replace(/(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
      .toLowerCase()
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** What is searched of a text: its words, without the words that say nothing. */
export const wordsOf = (text: string): string[] => splitWords(text).filter((word) => !EMPTY.has(word));

/** The same for a name, whose verb always counts. */
export const nameWordsOf = (name: string): string[] =>
  splitWords(name).filter((word) => !EMPTY.has(word) || VERBS.has(word));

export const termsOf = (text: string): string[] => wordsOf(text).map(stem);
export const nameTermsOf = (name: string): string[] => nameWordsOf(name).map(stem);

/** Whether a word says nothing about what a tool does. */
export function isEmptyWord(word: string): boolean {
  return EMPTY.has(word);
}

/** The words of the name of an API, which people write as one word, too: `GitHub` is `git`, `hub` and `github`. */
export function originTermsOf(origin: string): string[] {
  return [...new Set([...nameTermsOf(origin), ...nameTermsOf(origin.toLowerCase())])];
}

/** After these words, a name or a query says where, for whom or how. */
const RELATIONS = new Set('of in on to for from by with at as into onto via using about'.split(' '));

/**
 * The stem of the thing that a name or a query is about: the last noun before a word such as `of`. Paths of APIs, which
 * names are made of, have the thing last, too: `boards_members`.
 *
 * @param isVerb of a stem
 */
export function thingOf(words: readonly string[], isVerb: (stem: string) => boolean): string | undefined {
  let thing: string | undefined;
  for (const word of words) {
    if (RELATIONS.has(word)) {
      if (thing !== undefined) return thing;
      continue;
    }
    const stemmed = stem(word);
    if (!EMPTY.has(word) && word !== 'id' && !isVerb(stemmed)) thing = stemmed;
  }
  return thing;
}

export const isRelation = (word: string): boolean => RELATIONS.has(word);
