const marked = new WeakMap<object, Set<string | symbol>>();

/** Stores a sensitive property of a class, for classes that are known only in compiled form. */
export function noteSensitive(prototype: object, property: string | symbol): void {
  const known = marked.get(prototype);
  if (known) known.add(property);
  else marked.set(prototype, new Set([property]));
}

/** Whether a property is marked in the class of an instance or in a base class. */
export function isSensitiveProperty(instance: object, property: string | symbol): boolean {
  for (
    let at = Object.getPrototypeOf(instance) as object | null;
    at;
    at = Object.getPrototypeOf(at) as object
  ) {
    if (marked.get(at)?.has(property)) return true;
  }
  return false;
}
