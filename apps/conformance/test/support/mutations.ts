import fc from 'fast-check';

const odd = fc.constantFrom<unknown>(
  null,
  0,
  -1,
  1.5,
  '',
  'x',
  true,
  [],
  {},
  [[]],
  { a: { b: [] } },
  '\u0000',
  '😀',
  2 ** 53,
);
const key = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'name',
  'arguments',
  '_meta',
  'extra',
  '',
);

type Path = readonly (string | number)[];

/** A JSON value with some of it replaced, dropped or added to. */
export function mutated(value: unknown): fc.Arbitrary<unknown> {
  const paths = pathsOf(value);
  const change = fc.record({
    path: fc.constantFrom(...paths),
    how: fc.constantFrom('replace', 'drop', 'add'),
    with: odd,
    key,
  });
  return fc
    .array(change, { minLength: 0, maxLength: 3 })
    .map((changes) =>
      changes.reduce((current, each) => apply(current, each.path, each), structuredClone(value)),
    );
}

interface Change {
  how: string;
  with: unknown;
  key: string;
}

function apply(value: unknown, path: Path, change: Change): unknown {
  const [step, ...rest] = path;
  if (step === undefined) {
    if (change.how === 'add' && typeof value === 'object' && value !== null)
      return withOwn(value, change.key, change.with);
    return change.how === 'drop' ? undefined : change.with;
  }
  if (typeof value !== 'object' || value === null) return value;
  const child = (value as Record<string | number, unknown>)[step];
  return withOwn(value, step, apply(child, rest, change));
}

/** Also for `__proto__`, which JSON can name. */
function withOwn(value: object, name: string | number, member: unknown): unknown {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  return Object.defineProperty(copy, name, {
    value: member,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))];
}
