import type { OpenApiDocument, OrReference, Reference } from './openapi-document.js';

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
  ) {}

  /** Follows references. What leads nowhere, or in a circle, is an empty value. */
  resolve<T extends object>(node: OrReference<T> | undefined): Resolved<T> {
    let value: unknown = node;
    let pointer: string | undefined;
    for (let step = 0; isReference(value); step += 1) {
      if (step === LONGEST_CHAIN) return { value: {} as T, pointer };
      pointer = value.$ref;
      value = this.at(pointer);
    }
    return { value: (isObject(value) ? value : {}) as T, pointer };
  }

  private at(pointer: string): unknown {
    const steps = pointer.replace(/^#\/?/, '').split('/').filter(Boolean);
    let value: unknown = this.document;
    for (const step of steps) {
      const key = unescape(step);
      if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
      value = (value as Record<string, unknown>)[key];
    }
    return value;
  }
}

function unescape(step: string): string {
  const text = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function isReference(value: unknown): value is Reference {
  return isObject(value) && typeof (value as { $ref?: unknown }).$ref === 'string';
}
