import type { JsonSchema, ManifestEntry } from '@toolwright/manifest';
import type { Node } from '../../container/binding.js';
import type { QuestionTable } from '../../call/context/tool-context.js';
import type { StandardArgument, Target, TypeTable } from '../../call/operation/draft.js';
import type { CallCounter } from '../registry/call-counter.js';
import type { ClassEntry } from '../manifest/loaded-manifest.js';
import type { DecoratedMethod, Service } from './service.js';

/** A service with its manifest entry, and the way to get its instances. */
export interface BoundService {
  readonly service: Service;
  readonly match: ClassEntry;
  /** Undefined if every operation is a static method. */
  readonly node: Node | undefined;
  readonly types: TypeTable;
  readonly questions: QuestionTable;
  readonly calls: CallCounter;
}

/** One decorated method, with what the compiler knows about it. */
export interface BoundMethod {
  readonly bound: BoundService;
  readonly method: DecoratedMethod;
  /**
   * The parameters in this entry that the container fills in are not arguments, even if the compiler took
   * them for arguments.
   */
  readonly entry: ManifestEntry;
  /** The schema of what clients send. */
  readonly input: JsonSchema | undefined;
  /** The schemas of libraries that check arguments. */
  readonly standard?: readonly StandardArgument[] | undefined;
  /** The object that the method is called on, and what the container does around the call. */
  readonly source: Pick<Target, 'instance' | 'openScope' | 'injected' | 'around'>;
}
