import { pointerToken, readUrl } from '@toolwright/json';
import { isObject } from './specification.js';

/** Examples and defaults are data. A `$ref` in them refers to nothing. */
export const isData = (path: string) => /\/(?:examples?|default|enum|const|x-[^/]*)(?:\/|$)/.test(path);

interface Part {
  readonly value: Record<string, unknown>;
  readonly pointer: string;
  /** The `$id` of the nearest schema around it, as a whole address; empty without one. */
  readonly base: string;
}

/** What a relative `$id` is relative to. No document has this address. */
const NOWHERE = 'document:///';

/**
 * Version 3.1 may name a schema by its `$anchor` or its `$id` instead of a pointer. Each reference to such a name becomes the
 * pointer of the schema, so that all others read pointers alone. References to anything else stay as they are.
 *
 * @returns the document itself if it has no such reference, and otherwise a changed copy
 */
export function withPointers<T>(document: T): T {
  const parts = [...partsOf(document)];
  const named = placesByName(parts);
  const changed = new Map<object, string>();
  for (const part of parts) {
    const { $ref, $dynamicRef } = part.value;
    const reference = $ref ?? $dynamicRef;
    if (typeof reference !== 'string' || reference.startsWith('#/')) continue;
    const pointer = pointerOf(reference, part.base, named);
    if (pointer !== undefined) changed.set(part.value, pointer);
  }
  return changed.size === 0 ? document : (copyOf(document, changed, new Map()) as T);
}

function* partsOf(document: unknown): Generator<Part> {
  const seen = new Set<object>();
  const queue: { value: unknown; pointer: string; base: string }[] = [
    { value: document, pointer: '#', base: '' },
  ];
  for (const { value, pointer, base } of queue) {
    if (!isObject(value) || seen.has(value)) continue;
    seen.add(value);
    const part = value as Record<string, unknown>;
    const own =
      !Array.isArray(value) && typeof part['$id'] === 'string' ? addressOf(part['$id'], base) : undefined;
    const around = own ?? base;
    if (!Array.isArray(value)) yield { value: part, pointer, base: around };
    for (const [name, member] of Object.entries(value))
      if (Array.isArray(value) || !isData(`/${name}`))
        queue.push({ value: member, pointer: `${pointer}/${escape(name)}`, base: around });
  }
}

function placesByName(parts: readonly Part[]): Map<string, string> {
  const named = new Map<string, string>();
  for (const { value, pointer, base } of parts) {
    if (typeof value['$id'] === 'string' && base !== '') named.set(base, pointer);
    for (const anchor of [value['$anchor'], value['$dynamicAnchor']])
      if (typeof anchor === 'string') named.set(`${base}#${anchor}`, pointer);
  }
  return named;
}

function pointerOf(reference: string, base: string, named: ReadonlyMap<string, string>): string | undefined {
  const [file = '', fragment = ''] = reference.split('#');
  const address = file === '' ? base : addressOf(file, base);
  if (address === undefined) return undefined;
  if (fragment === '') return file === '' ? undefined : named.get(address);
  if (!fragment.startsWith('/')) return named.get(`${address}#${fragment}`);
  const place = named.get(address);
  return place === undefined ? undefined : place + fragment;
}

/** A whole address without its fragment; undefined for a text that is not an address. */
function addressOf(text: string, base: string): string | undefined {
  const url = readUrl(text, base || NOWHERE);
  if (url) url.hash = '';
  return url?.href;
}

function copyOf(value: unknown, changed: ReadonlyMap<object, string>, known: Map<object, unknown>): unknown {
  if (!isObject(value)) return value;
  if (known.has(value)) return known.get(value);
  const copy: unknown[] | Record<string, unknown> = Array.isArray(value) ? [] : {};
  known.set(value, copy);
  for (const [name, member] of Object.entries(value))
    Object.defineProperty(copy, name, {
      value: copyOf(member, changed, known),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  const pointer = changed.get(value);
  if (pointer !== undefined) {
    delete (copy as Record<string, unknown>)['$dynamicRef'];
    (copy as Record<string, unknown>)['$ref'] = pointer;
  }
  return copy;
}

const escape = (name: string) => encodeURIComponent(pointerToken(name));
