import { isDeepStrictEqual } from 'node:util';
import { explainValue } from '@toolwright/core/checks';
import type { Page } from 'playwright-core';
import { type Part, partOf, propertiesOf, resolved } from '../../web/src/panes/tools/form/part-of.js';

/** What a person sees of the control that has the focus. */
interface Focused {
  readonly tag: string;
  readonly type: string;
  readonly name: string;
  readonly isInForm: boolean;
  readonly value: string;
  readonly isTicked: boolean;
  readonly options: readonly string[];
}

const look = `(() => {
  const { activeElement: at } = document;
  return {
    tag: at.tagName,
    type: at.type ?? '',
    name: at.name ?? '',
    isInForm: at.closest('.schema-form') !== null,
    value: String(at.value ?? ''),
    isTicked: at.checked === true,
    options: at.options ? [...at.options].map((each) => each.value) : [],
  };
})()`;

/** More keys than the largest form of a test takes. */
const MOST_STEPS = 400;

/** Fills in a form as a person without a mouse: each control that Tab comes to gets its part of the value. */
export async function fillWithKeys(
  page: Page,
  schema: Readonly<Record<string, unknown>>,
  value: Readonly<Record<string, unknown>>,
): Promise<void> {
  const seen = new Map<string, number>();
  const { keyboard } = page;
  for (let step = 0; step < MOST_STEPS; step++) {
    const at = await page.evaluate<Focused>(look);
    if (!at.isInForm) return;
    const [, act, index, pointer] = /^(?:(add|leave|more) |name (\d+) )?(.*)$/.exec(at.name)!;
    const wanted = valueAt(value, pointer!);
    if (act === 'add') {
      if (wanted !== undefined) {
        if (lastPart(schema, pointer!, value).kind === 'list') seen.set(`more ${pointer}`, 1);
        await press(page, 'Enter');
        continue;
      }
    } else if (act === 'more') {
      const count = seen.get(at.name) ?? startOf(schema, pointer!, value);
      if (count < moreOf(schema, pointer!, value)) {
        seen.set(at.name, count + 1);
        await press(page, 'Enter');
        continue;
      }
    } else if (index !== undefined)
      await keyboard.type(extraNames(schema, pointer!, value)[Number(index)] ?? '');
    else if (at.tag === 'SELECT') {
      const level = seen.get(at.name) ?? 0;
      seen.set(at.name, level + 1);
      if (wanted !== undefined) await choose(page, at, optionFor(schema, pointer!, value, level));
    } else if (at.type === 'checkbox') {
      const list = pointer!.slice(0, pointer!.lastIndexOf('/'));
      const part = lastPart(schema, list, value) as Extract<Part, { kind: 'choices' }>;
      const choice = part.choices[Number(pointer!.slice(list.length + 1))]!.value;
      const isWanted = ((valueAt(value, list) ?? []) as unknown[]).some((each) =>
        isDeepStrictEqual(each, choice),
      );
      if (isWanted !== at.isTicked) await keyboard.press('Space');
    } else if (/^(text|textarea)$/.test(at.type) && wanted !== undefined) {
      await keyboard.press('Control+A');
      const { kind } = lastPart(schema, pointer!, value);
      const typed = kind === 'text' || kind === 'bytes' ? String(wanted) : JSON.stringify(wanted);
      if (typed === '') await keyboard.press('Delete');
      else await keyboard.type(typed);
    }
    await keyboard.press('Tab');
  }
  throw new Error(`The form does not end after ${MOST_STEPS} controls.`);
}

/** Presses a key that opens a part, into which the focus goes when it is drawn. */
async function press(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

async function choose(page: Page, { options, value }: Focused, wanted: string): Promise<void> {
  const steps = options.indexOf(wanted) - options.indexOf(value);
  for (let step = 0; step < Math.abs(steps); step++)
    await page.keyboard.press(steps > 0 ? 'ArrowDown' : 'ArrowUp');
}

function partsOf(pointer: string): string[] {
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAt(value: unknown, pointer: string): unknown {
  return partsOf(pointer).reduce<unknown>(
    (at, part) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, part)
        ? (at as Record<string, unknown>)[part]
        : undefined,
    value,
  );
}

/** All forms of a place, from the outermost choice to the part that holds the value. */
function formsAt(
  root: unknown,
  pointer: string,
  value: unknown,
): { schema: Record<string, unknown>; part: Part }[] {
  let schema: unknown = root;
  let at = value;
  let forms = unwrapped(root, { ...(schema as object), type: 'object' }, at);
  for (const name of partsOf(pointer)) {
    const { schema: own, part } = forms.at(-1)!;
    if (part.kind === 'object') {
      const known = propertiesOf(own).find(([each]) => each === name);
      schema = known ? known[1] : part.extra?.(name);
    } else if (part.kind === 'list') schema = part.items;
    else if (part.kind === 'tuple') schema = part.places[Number(name)] ?? part.rest;
    at = valueAt({ at }, `/at${pointerOf(name)}`);
    forms = unwrapped(root, schema, at);
  }
  return forms;
}

function pointerOf(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function unwrapped(
  root: unknown,
  given: unknown,
  value: unknown,
): { schema: Record<string, unknown>; part: Part }[] {
  const schema = resolved(root, given) as Record<string, unknown>;
  const part = partOf(schema, root);
  if (part.kind !== 'union') return [{ schema, part }];
  return [{ schema, part }, ...unwrapped(root, part.branches[branchFor(part.branches, value, root)], value)];
}

/** Which form a value has, in the words of the validator of the server. */
function branchFor(branches: readonly Record<string, unknown>[], value: unknown, root: unknown): number {
  const { $defs } = root as { $defs?: unknown };
  const found = branches.findIndex(({ title: _, ...each }) => {
    const wrapped = { type: 'object', properties: { value: each }, $defs };
    return explainValue(wrapped, { value }).length === 0;
  });
  return Math.max(0, found);
}

function lastPart(root: unknown, pointer: string, value: unknown): Part {
  return formsAt(root, pointer, value).at(-1)!.part;
}

function optionFor(root: unknown, pointer: string, value: unknown, level: number): string {
  const { part } = formsAt(root, pointer, value)[level]!;
  const wanted = valueAt(value, pointer);
  if (part.kind === 'union') return String(branchFor(part.branches, wanted, root));
  if (part.kind === 'boolean') return wanted === true ? '0' : '1';
  if (part.kind === 'const') return '0';
  if (part.kind !== 'choice')
    throw new Error(`${pointer} has a list to choose from, and is of kind ${part.kind}.`);
  return String(part.choices.findIndex((each) => isDeepStrictEqual(each.value, wanted)));
}

function extraNames(root: unknown, pointer: string, value: unknown): string[] {
  const known = new Set(propertiesOf(formsAt(root, pointer, value).at(-1)!.schema).map(([name]) => name));
  return Object.keys((valueAt(value, pointer) ?? {}) as object).filter((name) => !known.has(name));
}

/** How many parts a list or a map has in the end. */
function moreOf(root: unknown, pointer: string, value: unknown): number {
  const wanted = valueAt(value, pointer);
  return Array.isArray(wanted) ? wanted.length : extraNames(root, pointer, value).length;
}

/** How many it has before the first is added. */
function startOf(root: unknown, pointer: string, value: unknown): number {
  const { part } = formsAt(root, pointer, value).at(-1)!;
  return part.kind === 'tuple' ? part.places.length : 0;
}
