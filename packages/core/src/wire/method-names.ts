import { isObject } from '@toolwright/json';
import type { ClientMethod } from '../base/request-context.js';
import { type JsonObject, notificationText } from './json-rpc.js';
import type { MethodName } from './methods.js';

type Params = Readonly<Record<string, unknown>>;
type Names = Readonly<Record<string, string>>;

/** The names that a revision gives to a method and to its parameters, where they differ from those of this code. */
interface Renamed {
  readonly name?: string;
  readonly parameters?: Names;
}

/** What a revision calls otherwise than this code, by the names of this code: methods of clients, questions, notifications. */
export type RenamedMethods = Readonly<
  Partial<Record<MethodName | ClientMethod, Renamed>> & Record<`notifications/${string}`, Renamed>
>;

/** A request or a notification, as far as names go. */
export interface NamedMessage {
  readonly method?: unknown;
  readonly params?: unknown;
}

type Translations = Map<unknown, { readonly method: string; readonly parameters: Names }>;

/**
 * The names of a revision that renames methods. Its messages are translated where they come in and where they go out, so
 * that all other code, and all applications, have one name for each method.
 */
export class MethodNames {
  readonly #known: Translations = new Map();
  readonly #spoken: Translations = new Map();

  constructor(renamed: RenamedMethods) {
    const all = Object.entries(renamed);
    const methods = bothWays(Object.fromEntries(all.map(([own, { name = own }]) => [own, name])));
    for (const [other, own] of Object.entries(methods.known)) {
      const parameters = bothWays(renamed[own as MethodName]?.parameters ?? {});
      this.#known.set(other, { method: own, parameters: parameters.known });
      this.#spoken.set(own, { method: other, parameters: parameters.spoken });
    }
  }

  /** A message of the revision, in the names of this code. */
  read<M extends NamedMessage>(message: M): M {
    return translate(message, this.#known);
  }

  /** A message in the names of this code, as the revision writes it. */
  write<M extends NamedMessage>(message: M): M {
    return translate(message, this.#spoken);
  }
}

/** A message in the names of this code. Most revisions rename nothing. */
export function readNames<M extends NamedMessage>(names: MethodNames | undefined, message: M): M {
  return names ? names.read(message) : message;
}

/** A message in the names of a revision. */
export function writeNames<M extends NamedMessage>(names: MethodNames | undefined, message: M): M {
  return names ? names.write(message) : message;
}

/** A notification as text, in the names of a revision. */
export function notificationIn(names: MethodNames | undefined, method: string, params?: JsonObject): string {
  const written = writeNames(names, { method, params });
  return notificationText(written.method, written.params);
}

/** Questions of a server, by their keys, in the names of a revision. */
export function writeQuestions<Q extends NamedMessage>(
  names: MethodNames | undefined,
  asked: Iterable<readonly [key: string, question: Q]>,
): Readonly<Record<string, Q>> {
  return Object.fromEntries([...asked].map(([key, question]) => [key, writeNames(names, question)]));
}

/**
 * From names of this code to others, and back. A name that was given up becomes one that nothing has: it means nothing any
 * more, and can still be written as it came.
 */
function bothWays(names: Names): { readonly known: Names; readonly spoken: Names } {
  const known = Object.fromEntries(Object.keys(names).map((own) => [own, `former ${own}`]));
  for (const [own, other] of Object.entries(names)) known[other] = own;
  return { known, spoken: Object.fromEntries(Object.entries(known).map(([other, own]) => [own, other])) };
}

function translate<M extends NamedMessage>(message: M, translations: Translations): M {
  const found = translations.get(message.method);
  if (!found) return message;
  const { method, parameters } = found;
  const { params } = message;
  return { ...message, method, ...(isObject(params) && { params: renameMembers(params, parameters) }) };
}

function renameMembers(params: Params, names: Names): Params {
  const members = Object.entries(params);
  return Object.fromEntries(
    members.map(([key, value]) => [Object.hasOwn(names, key) ? names[key] : key, value]),
  ) as Params;
}
