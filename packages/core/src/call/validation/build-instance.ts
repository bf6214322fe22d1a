import { pointerToken } from '../../base/json-pointer.js';
import { ToolError } from '../../base/errors/tool-error.js';
import type { Constructor } from '../operation/target.js';
import { isPlainObject } from '../../base/is-plain-object.js';
import { loadClassTransformer } from './optional-peers.js';
import { UnrevivableError } from '../values/unrevivable-error.js';

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
