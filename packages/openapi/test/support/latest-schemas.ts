/** Schemas as Ajv 2020 reads them: version 3.0 has `nullable`, and booleans as exclusive bounds. */
export function asLatest(node: unknown, seen = new Map<object, unknown>(), key = ''): unknown {
  if (typeof node !== 'object' || node === null) return node;
  const known = seen.get(node);
  if (known !== undefined) return known;
  if (Array.isArray(node)) {
    const list: unknown[] = [];
    seen.set(node, list);
    list.push(...node.map((each) => asLatest(each, seen)));
    return list;
  }
  const copy: Record<string, unknown> = {};
  seen.set(node, copy);
  const isMap = key === 'properties' || key === 'schemas' || key === 'paths';
  for (const [name, each] of Object.entries(node)) {
    if (!isMap && ['example', 'examples', 'id', '$id', '$schema', 'discriminator'].includes(name)) continue;
    copy[name] = asLatest(each, seen, isMap ? '' : name);
  }
  if (isMap) return copy;
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const)
    if (typeof copy[flag] === 'boolean') {
      if (copy[flag] && copy[bound] !== undefined) copy[flag] = copy[bound];
      else delete copy[flag];
    }
  if (copy['nullable'] === true && typeof copy['type'] === 'string') copy['type'] = [copy['type'], 'null'];
  delete copy['nullable'];
  if (Array.isArray(copy['required']) && typeof copy['properties'] === 'object') {
    const properties = copy['properties'] as Record<string, { readOnly?: boolean }>;
    copy['required'] = (copy['required'] as string[]).filter((name) => properties?.[name]?.readOnly !== true);
    if ((copy['required'] as string[]).length === 0) delete copy['required'];
  }
  // Some documents write the values of a text as numbers, which no text would fit.
  if (copy['type'] === 'string' && Array.isArray(copy['enum']))
    copy['enum'] = copy['enum'].map((each: unknown) => (typeof each === 'number' ? String(each) : each));
  if (Array.isArray(copy['oneOf']) && doOverlap(copy['oneOf'])) {
    copy['anyOf'] = copy['oneOf'];
    delete copy['oneOf'];
  }
  if (typeof copy['pattern'] === 'string' && !isPattern(copy['pattern'])) delete copy['pattern'];
  if (
    typeof copy['type'] === 'string' &&
    !['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'].includes(copy['type'])
  )
    delete copy['type'];
  return copy;
}

/**
 * Whether no request fits exactly one of these: open objects that require nothing and name different members. Each of them
 * accepts what the others describe. Zoom divides its settings so. The author means "one or more".
 */
function doOverlap(alternatives: readonly unknown[]): boolean {
  const names = alternatives.map(membersOf);
  const all = names.flatMap((each) => each ?? []);
  return names.every((each) => each !== undefined) && new Set(all).size === all.length;
}

/** The members of an open object without requirements; undefined for any other schema. */
function membersOf(schema: unknown): string[] | undefined {
  const {
    type = 'object',
    properties = {},
    oneOf,
    anyOf = oneOf,
    ...rest
  } = schema as Record<string, object>;
  const isOpen = Object.keys(rest).every((key) => key === 'title' || key === 'description');
  if (String(type) !== 'object' || !isOpen) return undefined;
  const inner = Array.isArray(anyOf) ? anyOf.map(membersOf) : [];
  if (inner.includes(undefined)) return undefined;
  return [...Object.keys(properties), ...inner.flatMap((each) => each!)];
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
