import { ToolError } from '@toolwright/core';
import { cutLine } from '@toolwright/json';
import type { OpenApiErrorCode } from '../read/specification-error.js';

/** The longest text of an API that a model reads. */
const LONGEST = 500;

/** An error whose text the model reads. */
export function apiError(
  code: OpenApiErrorCode,
  message: string,
  meta?: Record<string, unknown>,
  cause?: unknown,
): ToolError {
  return new ToolError(message, { code, ...(meta && { meta }), ...(cause !== undefined && { cause }) });
}

/** What an API said about a failure, with its status. */
export function failedAnswer(request: string, { status, statusText }: Response, text: string): ToolError {
  const said = messageIn(text);
  const head = `${request} answered ${status}${statusText ? ` ${statusText}` : ''}`;
  return apiError('TW_OPENAPI_RESPONSE', said === '' ? `${head}.` : `${head}: ${said}`, { status });
}

/** Members with the API's own words, the best first. */
const MEMBERS = [
  'message',
  'error_description',
  'detail',
  'errorMessage',
  'reason',
  'msg',
  'title',
  'error',
  'value',
  'description',
];

/** Members with the single mistakes, beside or in place of the words. */
const LISTS = [
  'errors',
  'errorMessages',
  'violations',
  'details',
  'detail',
  'invalid_params',
  'invalidParams',
  'issues',
];

/** What a mistake is about: the name of an argument, or the way to it. */
const PLACES = [
  'field',
  'loc',
  'pointer',
  'path',
  'param',
  'parameter',
  'property',
  'name',
  'source',
  'location',
];

/** The API's own message, with the single mistakes that it names, or the beginning of a plain text. */
function messageIn(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // A page of HTML explains nothing to a model, and XML has its words between the tags.
    return !/^\s*</.test(text) ? clean(text) : isXml(text) ? clean(withoutTags(text)) : '';
  }
  return clean(wordsIn(value, 0));
}

const isXml = (text: string) =>
  /^\s*<(?:\?xml|(?:[\w-]+:)?(?:error|errors|fault|envelope|problem)[\s>])/i.test(text);
const withoutTags = (text: string) => text.slice(0, LONGEST * 4).replace(/<[^<>]*>/g, ' ');

const DEEPEST = 4;
const MOST_MISTAKES = 10;

/** The words of an error, and those of each mistake in it. */
function wordsIn(value: unknown, depth: number): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return '';
  if (Array.isArray(value)) return listed(value.map((each) => mistakeIn(each, depth + 1)));
  const all = value as Record<string, unknown>;
  const named = MEMBERS.filter((name) => Object.hasOwn(all, name)).map((name) => all[name]);
  const words =
    named.map((each) => (Array.isArray(each) ? '' : wordsIn(each, depth + 1))).find(Boolean) ?? '';
  const mistakes = LISTS.filter((name) => Object.hasOwn(all, name) && typeof all[name] === 'object').map(
    (name) => (Array.isArray(all[name]) ? wordsIn(all[name], depth + 1) : fieldsIn(all[name], depth + 1)),
  );
  const isBare = words === '' && mistakes.every((each) => each === '');
  return listed([words, ...mistakes, ...(isBare ? [fieldsIn(all, depth)] : [])]);
}

/** A mistake with the place that it is about. */
function mistakeIn(value: unknown, depth: number): string {
  const words = wordsIn(value, depth);
  if (typeof value !== 'object' || value === null) return words;
  const all = value as Record<string, unknown>;
  const place = PLACES.map((name) => placeIn(all[name])).find((each) => each !== '') ?? '';
  const said = words || (typeof all['code'] === 'string' ? all['code'] : '');
  return place !== '' && said !== '' && !said.includes(place) ? `${place}: ${said}` : said || place;
}

function placeIn(value: unknown): string {
  if (Array.isArray(value)) return value.filter((each) => typeof each !== 'object').join('.');
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? value : '';
  return (
    PLACES.map((name) => placeIn((value as Record<string, unknown>)[name])).find((each) => each !== '') ?? ''
  );
}

/** Some APIs have the names of arguments as members, with what is wrong with each. */
function fieldsIn(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null) return '';
  const all = Object.entries(value).map(([name, each]) => {
    const words = Array.isArray(each) || typeof each === 'object' ? wordsIn(each, depth + 1) : '';
    return words === '' ? '' : `${name}: ${words}`;
  });
  return listed(all);
}

function listed(all: readonly string[]): string {
  const said = [...new Set(all.filter((each) => each !== ''))];
  const more = said.length - MOST_MISTAKES;
  return [...said.slice(0, MOST_MISTAKES), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** One line in which nothing hides. */
export const clean = (text: string): string => cutLine(text, LONGEST);
