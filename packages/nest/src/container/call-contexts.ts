import { ContextIdFactory, type ContextId, type ModuleRef } from '@nestjs/core';
import type { CallSource } from '@toolwright/core';
import { exchanges } from '../http/exchanges.js';

/** Which instances in request scope belong to which call. */
export class CallContexts {
  readonly #known = new WeakMap<CallSource, ContextId>();

  constructor(private readonly moduleRef: ModuleRef) {}

  /** The context of a call. `REQUEST` is its HTTP request, or `undefined` over another transport. */
  of(call: CallSource): ContextId {
    let context = this.#known.get(call);
    if (!context) this.#known.set(call, (context = this.#open()));
    return context;
  }

  #open(): ContextId {
    const request = exchanges.getStore()?.request;
    // A guard of the route may have opened a context for this request. Durable providers choose theirs here, too.
    const context = request ? ContextIdFactory.getByRequest(request as never) : ContextIdFactory.create();
    this.moduleRef.registerRequestByContextId(request, context);
    return context;
  }
}
