/**
 * What we use of class-transformer. Its own types import the types of Node. If our declarations imported them, the
 * compiler would read both after each edit, although no schema comes from them.
 */
interface ClassTransformer {
  plainToInstance(constructor: new () => object, value: object): object;
  instanceToPlain(value: object): Record<string, unknown>;
  Exclude(): (target: new () => object) => void;
}

let transformer: ClassTransformer | undefined;
let records: TransformerRecords | undefined;

/**
 * Loads a library that an application may lack.
 *
 * Each `require` is directly in a `try`. Bundlers (esbuild, Rolldown, webpack, Turbopack, Bun) know from this that
 * the package may be missing, and build the application without it.
 *
 * @throws {Error} if the application does not have it
 */
export function loadClassTransformer(): ClassTransformer {
  if (transformer) return transformer;
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- an optional peer
    return (transformer = require('class-transformer') as ClassTransformer);
  } catch (error) {
    throw new Error('A class of this server needs class-transformer, which cannot be loaded: install it.', {
      cause: error,
    });
  }
}

/** What the decorators of class-transformer have recorded. It is not part of its public types. */
export interface TransformerRecords {
  findTransformMetadatas(target: object, property: string, type: number): unknown[];
  findExposeMetadata(target: object, property: string): { options?: { name?: string } } | undefined;
  getStrategy(target: unknown): 'excludeAll' | 'exposeAll' | 'none';
  getExcludedProperties(target: unknown, type: number): string[];
  findExposeMetadataByCustomName(target: unknown, name: string): { propertyName: string } | undefined;
  getExposedProperties(target: unknown, type: number): string[];
}

interface RecordsModule {
  defaultMetadataStorage: TransformerRecords;
}

/**
 * The records of the copy of class-transformer that the application uses. The package contains its code three
 * times, and its index does not export the records. Node.js takes the first copy, and bundlers may take another
 * one. A class that we decorate ourselves shows which one is in use.
 *
 * @throws {Error} if the application does not have class-transformer
 */
export function transformerRecords(): TransformerRecords {
  if (records) return records;
  const { Exclude } = loadClassTransformer();
  class Probe {}
  Exclude()(Probe);
  for (const load of [fromCommonJs, fromEs5, fromEs2015]) {
    const found = load()?.defaultMetadataStorage;
    if (found?.getStrategy(Probe) === 'excludeAll') return (records = found);
  }
  throw new Error(
    'class-transformer is installed, but its records cannot be found: its version must be 0.4 or 0.5. In a bundle, leave the package outside.',
  );
}

/* eslint-disable @typescript-eslint/no-require-imports -- inner files of an optional peer */
function fromCommonJs(): RecordsModule | undefined {
  try {
    return require('class-transformer/cjs/storage.js') as RecordsModule;
  } catch {
    return undefined;
  }
}

function fromEs5(): RecordsModule | undefined {
  try {
    return require('class-transformer/esm5/storage.js') as RecordsModule;
  } catch {
    return undefined;
  }
}

function fromEs2015(): RecordsModule | undefined {
  try {
    return require('class-transformer/esm2015/storage.js') as RecordsModule;
  } catch {
    return undefined;
  }
}
/* eslint-enable @typescript-eslint/no-require-imports */

interface Transformer {
  records: TransformerRecords;
  instanceToPlain(value: object): Record<string, unknown>;
}

const CLASS_TO_PLAIN = 1;
const decorated = new WeakMap<object, boolean>();
let known: Transformer | null | undefined;

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
  if (known !== undefined) return known;
  let instanceToPlain: Transformer['instanceToPlain'];
  try {
    ({ instanceToPlain } = loadClassTransformer());
  } catch {
    return (known = null);
  }
  return (known = { instanceToPlain, records: transformerRecords() });
}

/** The value of class-transformer's `TransformationType.PLAIN_TO_CLASS`. */
export const PLAIN_TO_CLASS = 0;
