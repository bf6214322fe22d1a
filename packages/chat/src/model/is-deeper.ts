/** Whether a parsed value is nested deeper. It looks no deeper itself, because a value may be deeper than the stack. */
export function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some((part) => isDeeper(part, most - 1));
}
