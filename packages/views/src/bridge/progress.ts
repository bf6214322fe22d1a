/** What has come of a result so far: the first items of a list, or some properties of an object. */
export type PartOf<Result> = Result extends readonly (infer Item)[]
  ? Item[]
  : Result extends object
    ? Partial<Result>
    : Result;

/** What a host says while a call runs. */
export interface CallProgress<Part = unknown> {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
  /** What the tool sent with the progress: a part of its result, which comes after the parts before. */
  readonly data?: Part;
  /** The status of the task that the call has become, such as `working`. */
  readonly task?: string;
}

type Params = Record<string, unknown>;

/** The keys of `_meta` with a part of the result, and with the status of a task. */
const PARTIAL = 'toolwright/partial';
const TASK = 'toolwright/task';

export function readProgress({ progressToken: _, _meta, ...progress }: Params): CallProgress<never> {
  const { [PARTIAL]: data, [TASK]: task } = (_meta ?? {}) as Params;
  return {
    ...progress,
    ...(data !== undefined && { data }),
    ...(task !== undefined && { task }),
  } as unknown as CallProgress<never>;
}

/** The state after a report of progress. `part` has the parts of all reports so far, put together. */
export function afterProgress<Part>(
  progress: CallProgress<Part>,
  part: Part | undefined,
): { progress: CallProgress<Part>; part?: Part } {
  return { progress, ...(progress.data !== undefined && { part: joinParts(part, progress.data) }) };
}

/** Adds a part to those before it: more items, or more properties. */
function joinParts<Part>(earlier: Part | undefined, later: Part): Part {
  if (Array.isArray(earlier)) return earlier.concat(later) as Part;
  return isObject(earlier) && isObject(later) ? { ...earlier, ...later } : later;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
