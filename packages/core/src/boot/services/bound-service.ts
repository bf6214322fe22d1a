import type { JsonSchema, ManifestEntry } from '@toolwright/manifest';
import type { Node } from '../../container/binding.js';
import type { QuestionTable } from '../../call/questions/question-table.js';
import type { Target, TypeTable } from '../../call/operation/target.js';
import type { CallCounter } from '../registry/call-counter.js';
import type { ClassEntry } from '../manifest/loaded-manifest.js';
import type { DecoratedMethod, Service } from './service.js';

/** A service that was found in a manifest, and how its instances are got. */
export interface BoundService {
  readonly service: Service;
  readonly match: ClassEntry;
  /** Undefined where every operation is a static method. */
  readonly node: Node | undefined;
  readonly types: TypeTable;
  readonly questions: QuestionTable;
  readonly calls: CallCounter;
}

/** One decorated method together with what the compiler knows of it. */
export interface BoundMethod {
  readonly bound: BoundService;
  readonly method: DecoratedMethod;
  /** What the container fills in is no argument in it, whatever the compiler saw in it. */
  readonly entry: ManifestEntry;
  /** Schema of what clients send. */
  readonly input: JsonSchema | undefined;
  /** What the method is called on, and what it gets from the container. */
  readonly source: Pick<Target, 'instance' | 'openScope' | 'injected'>;
}
