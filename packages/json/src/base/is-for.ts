/**
 * Only `true` lets a caller in. If the function was made `async` by mistake, its promise would let everybody in.
 */
export function isYes(verdict: unknown): boolean {
  // Nobody waits for a promise. If nobody handled its rejection, the process would end.
  if (Object(verdict) === verdict) Promise.resolve(verdict).catch(() => undefined);
  return verdict === true;
}

/**
 * Whether something is for a caller: without an audience, it is for everybody. A function that throws lets nobody in. It
 * must not break the lists of everybody else.
 */
export function isFor<Caller>(
  { audience }: { readonly audience?: ((caller: Caller) => unknown) | undefined },
  caller: Caller,
): boolean {
  try {
    return audience === undefined || isYes(audience(caller));
  } catch {
    return false;
  }
}
