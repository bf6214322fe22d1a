import { cutText, replaceHidden, showHiddenInJson } from '@toolwright/json';
import type { PartShape } from './shapes.js';
import { isObject } from './specification.js';

/** What a scalar is called in messages. */
export const nameOfShape: Readonly<Record<string, string>> = {
  text: 'a text',
  flag: 'true or false',
  number: 'a number',
};

export function isOfShape(value: unknown, shape: PartShape): boolean {
  if (shape.endsWith('[]')) return Array.isArray(value);
  if (shape === 'text') return typeof value === 'string';
  if (shape === 'flag') return typeof value === 'boolean';
  if (shape === 'number') return typeof value === 'number' && Number.isFinite(value);
  return isObject(value) && !Array.isArray(value) && !(value instanceof Date);
}

/** What a scalar of another type can only mean. */
export function scalarMeant(value: unknown, shape: PartShape): unknown {
  if (value instanceof Date && shape === 'text') return value.toISOString().replace(/T00:00:00\.000Z$/, '');
  if (shape === 'text')
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  if (shape === 'flag') return value === 'true' ? true : value === 'false' ? false : undefined;
  return /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
}

const LONGEST = 40;

/** A value as a message shows it. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  const text = JSON.stringify(value) ?? 'undefined';
  return cutText(showHiddenInJson(text), LONGEST, '…');
}

/** Whether a text has characters that nobody sees. No tool may show one, and no model would write it. */
export const isHidden = (value: unknown): value is string =>
  typeof value === 'string' && replaceHidden(value, () => '') !== value;
