import type { Node } from '../container/binding.js';
import type { Kernel } from '../container/kernel.js';
import { RequestPlan, RequestScope } from '../container/request-scope.js';
import type { AnyClass } from '../metadata/store.js';
import type { InstanceSource } from './bound-service.js';

/** How the methods of a service get their instance; which way is decided here, once. */
export function instanceSource(node: Node, kernel: Kernel): InstanceSource {
  if (node.binding.scope === 'singleton') return { instance: () => kernel.get(node) };
  const plan = new RequestPlan(node);
  return {
    openScope: (call) => new RequestScope(kernel, call),
    instance: (scope) => (scope as RequestScope).build(plan),
  };
}

/** Static methods are called on their class. */
export function staticSource(target: AnyClass): InstanceSource {
  return { instance: () => target };
}
