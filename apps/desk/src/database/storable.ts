/** The text of PostgreSQL cannot hold the character NUL, and anybody may send one. */
export function storable(parameters: readonly unknown[]): unknown[] {
  return parameters.map((each) => (typeof each === 'string' ? each.replaceAll('\0', '') : each));
}
