import type { Container } from '../../container/container.js';
import type { Kernel } from '../../container/kernel.js';
import type { ClassFinder } from './class-finder.js';
import type { ConstructorTypeLoader } from './constructor-types.js';
import type { Manifests } from '../manifest/load-manifests.js';
import type { QuestionRegistry } from './question-registry.js';

/** Everything that binding needs. There is one per server. */
export interface BindingContext {
  readonly manifests: Manifests;
  readonly container: Container;
  readonly kernel: Kernel;
  /** False if the server only serves the revision without sessions. */
  readonly hasSessions: boolean;
  /** True if tasks and schedules are shared with other processes. */
  readonly hasTaskQueue: boolean;
  /** True if the next request of a client may reach another process, wherever it was before. */
  readonly anyProcess: boolean;
  readonly finder: ClassFinder;
  readonly constructorTypes: ConstructorTypeLoader;
  readonly questions: QuestionRegistry;
}
