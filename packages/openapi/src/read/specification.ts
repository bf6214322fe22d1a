import { decodeUri, memberAt } from '@toolwright/json';
import type { OpenApiDocument, OrReference, Reference } from './openapi-document.js';

/** Something that is wrong in a specification, and where. */
export interface Mistake {
  /** A JSON pointer, such as `#/paths/~1pets/get/parameters/0`. */
  readonly place: string;
  readonly message: string;
  /** It is in a part that only references lead to. Without them it does no harm. */
  readonly isReferred: boolean;
}

/** What a reference leads to: the value, and where it is. */
export interface Resolved<T> {
  readonly value: T;
  /** The last pointer on the way, such as `#/components/schemas/Pet`; undefined if `node` was no reference. */
  readonly pointer: string | undefined;
}

/** A chain of references that is longer than this leads in a circle. */
const LONGEST_CHAIN = 32;

/** A whole specification: one document, whose references all lead into itself. */
export class Specification {
  constructor(
    readonly document: OpenApiDocument,
    /** What the reader left out or changed, a line each. */
    readonly notes: readonly string[] = [],
    /** What the reader left out because it is wrong. Nothing that needs it may be made. */
    readonly mistakes: readonly Mistake[] = [],
  ) {}

  /** Follows references. What leads nowhere, or in a circle, is an empty value. */
  resolve<T extends object>(node: OrReference<T> | undefined): Resolved<T> {
    let value: unknown = node;
    let pointer: string | undefined;
    for (let step = 0; isReference(value); step += 1) {
      if (step === LONGEST_CHAIN) return { value: {} as T, pointer };
      pointer = value.$ref;
      value = memberAt(this.document, stepsOf(pointer));
    }
    return { value: (isObject(value) ? value : {}) as T, pointer };
  }
}

/** The names in a pointer. Some documents write it as a part of a URL, with `%7B`. */
export const stepsOf = (pointer: string): string[] =>
  pointer
    .replace(/^#\/?/, '')
    .split('/')
    .filter(Boolean)
    .map((step) => decodeUri(step.replaceAll('~1', '/').replaceAll('~0', '~')));

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function isReference(value: unknown): value is Reference {
  return isObject(value) && typeof (value as { $ref?: unknown }).$ref === 'string';
}
