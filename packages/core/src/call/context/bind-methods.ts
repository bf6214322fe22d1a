/**
 * Makes the methods of a class work when they are taken out of their object, as in `const { log, progress } =
 * ctx`. A method is bound when it is read. Binding all of them for each object would cost time in every call,
 * and few calls use any.
 */
export function bindMethods(target: { prototype: object }): void {
  const { prototype } = target;
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (name === 'constructor' || typeof value !== 'function') continue;
    const method = value as (...args: never[]) => unknown;
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: object) {
        return method.bind(this);
      },
    });
  }
}
