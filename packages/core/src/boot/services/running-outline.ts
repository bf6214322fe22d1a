import { outlineOf } from '@toolwright/manifest';
import type { AnyClass } from '../../base/metadata/store.js';

const known = new WeakMap<AnyClass, string>();

/** The outline of a running class. It equals the `outline` of its manifest entry. */
export function outlineOfClass(target: AnyClass): string {
  let outline = known.get(target);
  if (outline === undefined) {
    outline = outlineOf({
      members: functionsOf(target.prototype).filter((name) => name !== 'constructor'),
      statics: functionsOf(target),
      arity: target.length,
      isDerived: Object.getPrototypeOf(target) !== Function.prototype,
    });
    known.set(target, outline);
  }
  return outline;
}

/** Methods and accessors. Unlike fields, a class declares them as not enumerable. */
function functionsOf(holder: object): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(holder))
    .filter(([, { enumerable, value, get, set }]) => {
      return !enumerable && (typeof value === 'function' || get !== undefined || set !== undefined);
    })
    .map(([name]) => name);
}

/** Whether the text of a running class names these fields. Minifiers keep the names of properties. */
export function hasFields(target: AnyClass, fields: readonly string[]): boolean {
  if (fields.length === 0) return true;
  const words = new Set(Function.prototype.toString.call(target).match(/[\w$]+/g));
  return fields.every((field) => words.has(field));
}

/** Minifiers give classes names of one to three characters. Such a name says nothing about the class. */
export function isNameless({ name }: AnyClass): boolean {
  return name.length <= 3;
}

/**
 * The names that a class may have in the source. Bundlers add an underscore or a number to tell equal names
 * apart.
 */
export function possibleNames({ name }: AnyClass): string[] {
  return [name, name.replace(/^_+/, '').replace(/\d+$/, '')];
}
