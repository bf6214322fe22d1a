import type { JsonObject } from './json-rpc.js';
import type { MethodName } from './methods.js';

/** The names that a revision gives to a method and to its parameters, where they differ from those of this code. */
interface Renamed {
  readonly name?: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** What a revision calls otherwise than this code, by the names of this code. */
export type RenamedMethods = Readonly<Partial<Record<MethodName, Renamed>>>;

/** A request or a notification, as far as names go. */
export interface Spoken {
  readonly method: string;
  readonly params?: JsonObject | undefined;
}

interface Translation {
  readonly method: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** No method has this name. */
const UNKNOWN: Translation = { method: '', parameters: {} };

/**
 * The names of a revision that renames methods. Its messages are translated where they come in and where they go out, so
 * that all other code, and all applications, have one name for each method.
 */
export class MethodNames {
  readonly #known = new Map<string, Translation>();
  readonly #spoken = new Map<string, Translation>();

  constructor(renamed: RenamedMethods) {
    // The earlier name means nothing any more, unless another method has taken it.
    for (const method of Object.keys(renamed)) this.#known.set(method, UNKNOWN);
    for (const [method, { name = method, parameters = {} }] of Object.entries(renamed)) {
      const back = Object.fromEntries(Object.entries(parameters).map(([own, other]) => [other, own]));
      this.#known.set(name, { method, parameters: back });
      this.#spoken.set(method, { method: name, parameters });
    }
  }

  /** A message of the revision, in the names of this code. */
  read<M extends Spoken>(message: M): M {
    return translate(message, this.#known);
  }

  /** A message in the names of this code, as the revision writes it. */
  write<M extends Spoken>(message: M): M {
    return translate(message, this.#spoken);
  }
}

/** A message in the names of this code. Most revisions rename nothing. */
export function readNames<M extends Spoken>(names: MethodNames | undefined, message: M): M {
  return names ? names.read(message) : message;
}

/** A message in the names of a revision. */
export function writeNames<M extends Spoken>(names: MethodNames | undefined, message: M): M {
  return names ? names.write(message) : message;
}

function translate<M extends Spoken>(message: M, translations: ReadonlyMap<string, Translation>): M {
  const found = translations.get(message.method);
  if (!found) return message;
  const { method, parameters } = found;
  return { ...message, method, ...(message.params && { params: translated(message.params, parameters) }) };
}

/** A parameter under a name that another one has now is unknown, and is left out. */
function translated(params: JsonObject, names: Translation['parameters']): JsonObject {
  const taken = Object.values(names);
  return Object.fromEntries(
    Object.entries(params)
      .filter(([key]) => Object.hasOwn(names, key) || !taken.includes(key))
      .map(([key, value]) => [Object.hasOwn(names, key) ? names[key] : key, value]),
  ) as JsonObject;
}
