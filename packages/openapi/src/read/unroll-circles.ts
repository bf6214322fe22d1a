import { pointerToken } from '@toolwright/json';
import { isObject } from './specification.js';

/**
 * A document in which no part contains itself. An anchor of YAML may stand in its own part, and a document whose references
 * were followed leads back to itself. Such a place becomes a `$ref` to the part that it leads back to. Any other document
 * is returned as it is.
 */
export function unrollCircles(document: unknown): unknown {
  return hasCircle(document) ? copyOf(document, '#', { open: new Map(), done: new Map() }) : document;
}

function hasCircle(document: unknown): boolean {
  const [open, done] = [new Set<object>(), new Set<object>()];
  const leadsBack = (value: unknown, depth: number): boolean => {
    if (!isObject(value) || done.has(value)) return false;
    if (open.has(value)) return true;
    // What is nested so deeply is refused by its size.
    if (depth > DEEPEST) return false;
    open.add(value);
    const found = Object.values(value).some((member) => leadsBack(member, depth + 1));
    open.delete(value);
    done.add(value);
    return found;
  };
  return leadsBack(document, 0);
}

const DEEPEST = 2_000;

function copyOf(
  value: unknown,
  pointer: string,
  { open, done }: { open: Map<object, string>; done: Map<object, unknown> },
): unknown {
  if (!isObject(value)) return value;
  const above = open.get(value);
  if (above !== undefined) return { $ref: above };
  const known = done.get(value);
  if (known !== undefined) return known;
  open.set(value, pointer);
  const members = Object.entries(value).map(
    ([name, member]) => [name, copyOf(member, `${pointer}/${escape(name)}`, { open, done })] as const,
  );
  open.delete(value);
  const copy = Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
  done.set(value, copy);
  return copy;
}

const escape = (name: string) => encodeURIComponent(pointerToken(name));
