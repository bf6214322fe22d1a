import { statSync } from 'node:fs';

/** A file that was written so shortly before somebody read it may be written once more within the same tick of its clock. */
const UNSURE_MS = 50;

/** What was made of files. */
export interface Made<T> {
  readonly value: T;
  /** Absolute paths. Undefined: the result is not kept. */
  readonly inputs: readonly string[] | undefined;
}

/** A result that is made again only when what it is made of has changed. */
export class KeptResult<T> {
  #last:
    { readonly wish: string; readonly value: T; readonly dates: ReadonlyMap<string, number> } | undefined;

  /** @param wish all that the result is made of beside files */
  async get(wish: string, make: () => Promise<Made<T>>): Promise<T> {
    const last = this.#last;
    // oxlint-disable-next-line own/no-date-now -- it is compared with the dates of files
    const since = Date.now();
    // A file may change while the result is made of it. So dates are read before.
    const now = new Map([...(last?.dates.keys() ?? [])].map((path) => [path, dateOf(path)]));
    if (last?.wish === wish && [...last.dates].every(([path, date]) => now.get(path) === date))
      return last.value;
    const { value, inputs } = await make();
    const settled = (path: string) => {
      const date = dateOf(path);
      return date < since - UNSURE_MS ? date : NaN;
    };
    this.#last = inputs && {
      wish,
      value,
      dates: new Map(inputs.map((path) => [path, now.get(path) ?? settled(path)])),
    };
    return value;
  }
}

/** A result for each path. */
export class ResultsOfFiles<T> {
  readonly #all = new Map<string, KeptResult<T>>();

  of(path: string): KeptResult<T> {
    const known = this.#all.get(path) ?? new KeptResult();
    this.#all.set(path, known);
    return known;
  }
}

/** 0 for a file that is missing. */
function dateOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
