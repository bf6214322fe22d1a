/** Messages are JSON, which has no Infinity. "For ever" and "without a limit" become a number that nobody reaches. */
export function finite<T>(value: T): T {
  return (value === Infinity ? Number.MAX_SAFE_INTEGER / 2 : value) as T;
}
