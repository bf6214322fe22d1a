import type { Binding } from '../../container/binding.js';
import { ToolContext } from '../../call/context/tool-context.js';

/** Lets services in request scope get the context of their call injected. */
export const contextBinding: Binding = {
  token: ToolContext,
  scope: 'request',
  dependencies: [],
  owned: false,
  create: (_, call) => call?.context,
};
