import { createHash } from 'node:crypto';
import { cutText, type Difference, isObject, showHidden } from '@toolwright/json';
import type { UpstreamDefinition } from './mount-lock.js';

/** The members of a definition that a client acts on. */
const MEMBERS = [
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  'arguments',
  'execution',
  '_meta',
];

/** How many places are named of one definition. An author of a server could change thousands. */
const MOST = 20;
const MOST_TEXT = 2_000;

/** The members that differ. */
export function changedMembers(before: UpstreamDefinition, after: UpstreamDefinition): string[] {
  return MEMBERS.filter((member) => canonical(before[member]) !== canonical(after[member]));
}

/** The places that differ, as far down as both sides have objects. */
export function differences(before: UpstreamDefinition, after: UpstreamDefinition): Difference[] {
  const found: Difference[] = [];
  for (const member of changedMembers(before, after)) compare(member, [before[member], after[member]], found);
  return found;
}

/** A digest of what a client acts on. */
export function digestOf(definition: UpstreamDefinition): string {
  const text = canonical(Object.fromEntries(MEMBERS.map((member) => [member, definition[member]])));
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** What a person reads of a value. */
export function textOf(value: unknown): string {
  const text = showHidden(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  return text.length > MOST_TEXT ? `${cutText(text, MOST_TEXT)}… (${text.length} characters)` : text;
}

function compare(path: string, [before, after]: [unknown, unknown], found: Difference[]): void {
  if (found.length >= MOST || canonical(before) === canonical(after)) return;
  if (isObject(before) && isObject(after) && path.split('/').length < 32) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      compare(`${path}/${cutText(showHidden(key), 200)}`, [before[key], after[key]], found);
    return;
  }
  found.push({
    path,
    ...(before !== undefined && { before: textOf(before) }),
    ...(after !== undefined && { after: textOf(after) }),
  });
}

/** Servers may write members in another order each time they start. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, each: unknown) =>
      isObject(each)
        ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
        : each,
    ) ?? ''
  );
}
