import {
  loadClassTransformer,
  transformerRecords,
  type TransformerRecords,
} from '../validation/optional-peers.js';

interface Transformer {
  records: TransformerRecords;
  instanceToPlain(value: object): Record<string, unknown>;
}

const CLASS_TO_PLAIN = 1;
const decorated = new WeakMap<object, boolean>();
let transformer: Transformer | null | undefined;

/**
 * An instance in the form in which class-transformer would send it, if its class uses `@Exclude` or
 * `@Expose`. An entity that hides its password from the REST API of the application must hide it here as
 * well. Other instances are returned unchanged.
 */
export function withoutExcluded(instance: object): object {
  const { constructor } = instance;
  if (typeof constructor !== 'function') return instance;
  let isDecorated = decorated.get(constructor);
  if (isDecorated === undefined) decorated.set(constructor, (isDecorated = hides(constructor)));
  return isDecorated ? load()!.instanceToPlain(instance) : instance;
}

function hides(constructor: object): boolean {
  const loaded = load();
  if (!loaded) return false;
  const { records } = loaded;
  return (
    records.getStrategy(constructor) !== 'none' ||
    records.getExcludedProperties(constructor, CLASS_TO_PLAIN).length > 0 ||
    records.getExposedProperties(constructor, CLASS_TO_PLAIN).length > 0
  );
}

/**
 * This peer dependency is optional. If it is not installed, no class can have its decorators.
 *
 * @throws {Error} if it is installed and its records cannot be read: what they hide must not be sent
 */
function load(): Transformer | null {
  if (transformer !== undefined) return transformer;
  let instanceToPlain: Transformer['instanceToPlain'];
  try {
    ({ instanceToPlain } = loadClassTransformer());
  } catch {
    return (transformer = null);
  }
  return (transformer = { instanceToPlain, records: transformerRecords() });
}
