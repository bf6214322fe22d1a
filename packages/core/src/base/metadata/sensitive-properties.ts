const marked = new WeakMap<object, Set<string | symbol>>();

/** Remembers a property of a class whose compiled form is all that is known of it. */
export function noteSensitive(prototype: object, property: string | symbol): void {
  const known = marked.get(prototype);
  if (known) known.add(property);
  else marked.set(prototype, new Set([property]));
}

/** Whether a property of an instance, or of a class that it inherits from, was marked. */
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
