/** The records of class-transformer's decorators, which are not part of its public types. */
interface TransformerStorage {
  getStrategy(target: unknown): 'excludeAll' | 'exposeAll' | 'none';
  getExcludedProperties(target: unknown, type: number): string[];
  getExposedProperties(target: unknown, type: number): string[];
}

interface Transformer {
  storage: TransformerStorage;
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
  const { storage } = loaded;
  return (
    storage.getStrategy(constructor) !== 'none' ||
    storage.getExcludedProperties(constructor, CLASS_TO_PLAIN).length > 0 ||
    storage.getExposedProperties(constructor, CLASS_TO_PLAIN).length > 0
  );
}

/** This peer dependency is optional. If it is not installed, no class can have its decorators. */
function load(): Transformer | null {
  if (transformer !== undefined) return transformer;
  try {
    /* eslint-disable @typescript-eslint/no-require-imports -- at first need */
    const { instanceToPlain } = require('class-transformer') as typeof import('class-transformer');
    const { defaultMetadataStorage } = require('class-transformer/cjs/storage') as {
      defaultMetadataStorage: TransformerStorage;
    };
    /* eslint-enable @typescript-eslint/no-require-imports */
    transformer = { instanceToPlain, storage: defaultMetadataStorage };
  } catch {
    transformer = null;
  }
  return transformer;
}
