import type { MetadataStorage } from 'class-validator';
import type { Constructor } from '../operation/draft.js';
import { boundMetadata } from '../validation/bounded-regexp.js';

type ClassValidator = typeof import('class-validator');
type ClassTransformer = typeof import('class-transformer');

/**
 * The libraries that an application may lack. They are loaded at first need, because class-validator takes 75 ms.
 *
 * Each `require` stands directly in a `try`. Bundlers (esbuild, Rolldown, webpack, Turbopack, Bun) know from this
 * that the package may be missing, and build the application all the same.
 */
let validator: ClassValidator | undefined;
let transformer: ClassTransformer | undefined;
let records: TransformerRecords | undefined;

/** @throws {Error} if the application does not have it */
export function loadClassValidator(): ClassValidator {
  if (validator) return validator;
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- an optional peer
    return (validator = require('class-validator') as ClassValidator);
  } catch (error) {
    throw missing('class-validator', error);
  }
}

/** @throws {Error} if the application does not have it */
export function loadClassTransformer(): ClassTransformer {
  if (transformer) return transformer;
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- an optional peer
    return (transformer = require('class-transformer') as ClassTransformer);
  } catch (error) {
    throw missing('class-transformer', error);
  }
}

/** What the decorators of class-transformer have recorded. It is not part of its public types. */
export interface TransformerRecords {
  findTransformMetadatas(target: Constructor, property: string, type: number): unknown[];
  findExposeMetadata(target: Constructor, property: string): { options?: { name?: string } } | undefined;
  getStrategy(target: unknown): 'excludeAll' | 'exposeAll' | 'none';
  getExcludedProperties(target: unknown, type: number): string[];
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
    'class-transformer is installed, but its records cannot be found: its version must be 0.5. In a bundle, leave the package outside.',
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

function missing(name: string, cause: unknown): Error {
  return new Error(`A class of this server needs ${name}, which cannot be loaded: install it.`, { cause });
}

type Lookup = MetadataStorage['getTargetValidationMetadatas'];
const memoised = new WeakSet<object>();

/**
 * Makes class-validator remember the constraints of each class. Without this, it searches all its records for
 * every object: we measured 15 µs with a few DTO classes, and 508 µs with 5,000. When a constraint is added,
 * everything is forgotten. The regular expressions in the remembered records have a budget, for checks that
 * use one.
 */
export function memoiseMetadata(storage: MetadataStorage): void {
  if (memoised.has(storage)) return;
  memoised.add(storage);
  let known = new WeakMap<object, Map<string, ReturnType<Lookup>>>();
  const lookup = storage.getTargetValidationMetadatas.bind(storage);
  const add = storage.addValidationMetadata.bind(storage);

  storage.addValidationMetadata = (metadata) => {
    known = new WeakMap();
    add(metadata);
  };
  storage.getTargetValidationMetadatas = (target, schema, ...rest) => {
    const key = JSON.stringify([schema, ...rest]);
    let ofClass = known.get(target);
    if (!ofClass) known.set(target, (ofClass = new Map()));
    let found = ofClass.get(key);
    if (!found) ofClass.set(key, (found = lookup(target, schema, ...rest).map(boundMetadata)));
    return found;
  };
}
