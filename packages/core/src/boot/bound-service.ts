import type { ManifestEntry } from '@toolwright/manifest';
import type { Node } from '../container/binding.js';
import type { Target, TypeTable } from '../pipeline/target.js';
import type { CallCounter } from './call-counter.js';
import type { ClassEntry } from './loaded-manifest.js';
import type { DecoratedMethod, Service } from './service.js';

/** A service that was found in a manifest, and how its instances are got. */
export interface BoundService {
  readonly service: Service;
  readonly match: ClassEntry;
  /** Undefined where every operation is a static method. */
  readonly node: Node | undefined;
  readonly instances: InstanceSource;
  readonly types: TypeTable;
  readonly calls: CallCounter;
}

/** How the methods of a service get the instance they are called on. */
export type InstanceSource = Pick<Target, 'instance' | 'openScope'>;

/** One decorated method together with what the compiler knows of it. */
export interface BoundMethod {
  readonly bound: BoundService;
  readonly method: DecoratedMethod;
  readonly entry: ManifestEntry;
}
