/**
 * Whether no class created the object. Test runners have their own `Object`, so objects from Node may have
 * another one.
 */
export function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
