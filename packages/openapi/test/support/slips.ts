/** One mistake in a good specification. */
export interface Slip {
  /** A JSON pointer. */
  readonly place: string;
  readonly kind: 'missing' | 'null' | 'another type' | 'empty' | 'repeated';
  /** What stands there now. */
  readonly value: unknown;
  readonly document: Record<string, unknown>;
}

const MISSING = Symbol('missing');

/** Every single mistake of these kinds, at every member and item of a document. */
export function* slipsOf(document: object): Generator<Slip> {
  for (const steps of placesIn(document)) {
    const place = `#/${steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
    const value = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document);
    for (const [kind, changed] of changesOf(value))
      yield {
        place,
        kind,
        value: changed,
        document: withChange(document, steps, changed) as Record<string, unknown>,
      };
  }
}

function* placesIn(value: unknown): Generator<string[]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    yield [name];
    for (const steps of placesIn(member)) yield [name, ...steps];
  }
}

/** Each value is replaced by one of every other type, and by an empty one of its own. */
function* changesOf(value: unknown): Generator<[Slip['kind'], unknown]> {
  yield ['missing', MISSING];
  yield ['null', null];
  for (const other of ['maybe', 7, true, { surprise: 1 }, ['surprise'], [7], [{}]])
    if (typeOf(other) !== typeOf(value)) yield ['another type', other];
  if (typeof value === 'string') yield ['empty', ''];
  if (typeof value === 'object' && value !== null) yield ['empty', Array.isArray(value) ? [] : {}];
  yield [
    'repeated',
    Array.isArray(value) ? [...(value as unknown[]), ...(value as unknown[])] : [value, value],
  ];
}

const typeOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value);

function withChange(value: unknown, [step, ...rest]: readonly string[], changed: unknown): unknown {
  if (step === undefined) return changed;
  const member = withChange((value as Record<string, unknown>)[step], rest, changed);
  if (Array.isArray(value))
    return value.flatMap((each: unknown, index) =>
      String(index) !== step ? [each] : member === MISSING ? [] : [member],
    );
  const { [step]: _old, ...others } = value as Record<string, unknown>;
  return member === MISSING ? others : { ...(value as object), [step]: member };
}
