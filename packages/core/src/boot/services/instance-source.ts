import type { Node } from '../../container/binding.js';
import type { Kernel } from '../../container/kernel.js';
import { RequestScope } from '../../container/request-scope.js';
import type { AnyClass } from '../../base/metadata/store.js';
import type { CallScope, Target } from '../../call/operation/draft.js';

/** How a call gets the instance of a node. This is decided once, at boot. */
export function instanceSource(node: Node, kernel: Kernel): Target['instance'] {
  if (node.binding.scope === 'singleton') return () => kernel.get(node);
  return (scope: CallScope | undefined) => (scope as RequestScope).get(node);
}

/** Static methods are called on their class. */
export function staticSource(target: AnyClass): Target['instance'] {
  return () => target;
}

/** How a call gets the values that the container fills in. */
export function injectedValues(
  nodes: ReadonlyMap<number, Node | undefined>,
  kernel: Kernel,
): Target['injected'] {
  if (nodes.size === 0) return undefined;
  return [...nodes].map(([index, node]) => ({
    index,
    value: node ? instanceSource(node, kernel) : () => undefined,
  }));
}

/** Opens a scope for each call, if one of the nodes does not live as long as the server. */
export function scopeOpener(nodes: readonly (Node | undefined)[], kernel: Kernel): Target['openScope'] {
  if (nodes.every((node) => !node || node.binding.scope === 'singleton')) return undefined;
  return (call) => new RequestScope(kernel, call);
}
