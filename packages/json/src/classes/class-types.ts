import type { JsonSchema } from '../schema/json-schema.js';
import type { Revival } from '../values/revival.js';

/** A class that can be built with `new`. */
export type Constructor<T = object> = new (...args: never[]) => T;

/** A DTO class whose instances are made from arguments. */
export interface DtoClass {
  readonly constructor: Constructor;
  /** What is still to be checked after the schema has accepted the value; see `ManifestClass.validation`. */
  readonly validation: 'skip' | 'residual' | 'full';
}

/** Finds the types that the revivals of one manifest refer to. */
export interface TypeTable {
  revival(name: string): Revival | undefined;
  dto(key: string): DtoClass | undefined;
  /** A schema of a revival, with the definitions that its references mean. Missing if it refers to no definition. */
  whole?(schema: JsonSchema): JsonSchema;
}
