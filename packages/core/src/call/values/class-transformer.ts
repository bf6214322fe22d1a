import {
  type ObjectRevival,
  type Problem,
  isPlainObject,
  loadClassTransformer,
  pointerToken,
} from '@toolwright/json';
import { ToolError } from '../../base/errors/errors.js';
import type { Constructor } from '../operation/draft.js';

/**
 * Creates an instance of a DTO by the rules of class-transformer. It works on a copy, because
 * class-transformer removes discriminators from the value.
 *
 * @throws {UnrevivableError} if a `@Transform` throws, because it does not accept what the caller sent
 */
export function buildInstance(Dto: Constructor, value: object, pointer: string): object {
  try {
    return plainToInstance(Dto, copyOf(value) as object);
  } catch (error) {
    throw new UnrevivableError(
      placesOf(Dto, value).map((name) => ({
        pointer: name === undefined ? pointer : `${pointer}/${pointerToken(name)}`,
        expected: error instanceof ToolError ? error.message : 'a value that can be read',
        keyword: 'transform',
        ...received(name === undefined ? undefined : (value as Record<string, unknown>)[name]),
      })),
      { cause: error },
    );
  }
}

function plainToInstance(Dto: Constructor, value: object): object {
  return loadClassTransformer().plainToInstance(Dto as new () => object, value);
}

/** class-transformer does not say which property failed, so each property is tried alone. */
function placesOf(Dto: Constructor, value: object): (string | undefined)[] {
  const wrong = Object.entries(value).flatMap(([name, part]) => {
    try {
      plainToInstance(Dto, { [name]: copyOf(part) });
      return [];
    } catch {
      return [name];
    }
  });
  return wrong.length > 0 ? wrong : [undefined];
}

function received(value: unknown): { received?: { value: unknown } } {
  return value === null || (typeof value !== 'object' && value !== undefined) ? { received: { value } } : {};
}

/** JSON is copied. Values that were already revived are not. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null || !isPlainObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const part = copyOf((value as Record<string, unknown>)[name]);
    if (name === '__proto__') Object.defineProperty(copy, name, { value: part, enumerable: true });
    else copy[name] = part;
  }
  return copy;
}

/** The same revival, with the names that the properties have in the class. */
export function renamed({
  properties = {},
  names = {},
  late = [],
  plain = [],
  ...revival
}: ObjectRevival): ObjectRevival {
  const rename = (name: string) => names[name] ?? name;
  return {
    ...revival,
    properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [rename(name), part])),
    late: late.map(rename),
    plain: plain.map(rename),
  };
}

/** Maps each name in the class to its name in JSON. */
export function inverse(names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(names).map(([json, name]) => [name, json]));
}

/** A value that matches the schema but cannot be converted to its type. */
export class UnrevivableError extends Error {
  override readonly name = 'UnrevivableError';

  constructor(
    readonly problems: readonly Problem[],
    options?: ErrorOptions,
  ) {
    super(problems.map(({ pointer, expected }) => `${pointer}: expected ${expected}`).join('\n'), options);
  }
}
