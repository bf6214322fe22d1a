/** An object that no class made. Test runners have an `Object` of their own beside that of what Node gives them. */
export function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
