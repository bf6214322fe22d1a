import type { MetadataStorage } from 'class-validator';
import { boundMetadata } from './bounded-regexp.js';

type ClassValidator = typeof import('class-validator');

/**
 * An application may lack this library. It is loaded at first need, because that takes 75 ms. The `require` is
 * directly in a `try`, so that bundlers know that the package may be missing: see `loadClassTransformer`.
 */
let validator: ClassValidator | undefined;

/** @throws {Error} if the application does not have it */
export function loadClassValidator(): ClassValidator {
  if (validator) return validator;
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- an optional peer
    return (validator = require('class-validator') as ClassValidator);
  } catch (error) {
    throw new Error('A class of this server needs class-validator, which cannot be loaded: install it.', {
      cause: error,
    });
  }
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
