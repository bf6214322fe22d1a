/** One place in which two schemas differ. */
export interface Difference {
  /** A JSON pointer. */
  readonly pointer: string;
  readonly change: 'left out' | 'added' | 'changed';
}

/** Where a published schema differs from the natural one. Below a place that differs as a whole, nothing more is told. */
export function differencesOf(natural: unknown, published: unknown, pointer = ''): Difference[] {
  if (!isBranch(natural) || !isBranch(published) || Array.isArray(natural) !== Array.isArray(published))
    return JSON.stringify(natural) === JSON.stringify(published) ? [] : [{ pointer, change: 'changed' }];
  const names = new Set([...Object.keys(natural), ...Object.keys(published)]);
  return [...names].flatMap((name): Difference[] => {
    const place = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!Object.hasOwn(published, name)) return [{ pointer: place, change: 'left out' }];
    if (!Object.hasOwn(natural, name)) return [{ pointer: place, change: 'added' }];
    return differencesOf(natural[name], published[name], place);
  });
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
