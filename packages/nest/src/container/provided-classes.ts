import type { Type } from '@nestjs/common';
import { type ContextId, ContextIdFactory, type DiscoveryService, type ModuleRef } from '@nestjs/core';
import { type CallSource, offersOperations } from '@toolwright/core/extend';
import { exchanges } from '../http/nest-endpoint.js';

/** What Nest knows about a provider or a controller. */
export type Provided = ReturnType<DiscoveryService['getProviders']>[number];

/** The providers and controllers of the app, by token and by class. */
export class ProvidedClasses {
  readonly #byToken = new Map<unknown, Provided>();
  readonly #byClass = new Map<unknown, Provided>();
  /** The classes with decorated methods, of the included modules. */
  readonly services: readonly Type[];

  constructor(discovery: DiscoveryService, include: readonly Type[] | undefined) {
    for (const provided of allOf(discovery)) {
      setOnce(this.#byToken, provided.token, provided);
      const target = classOf(provided);
      if (target) setOnce(this.#byClass, target, provided);
    }
    const served = include ? allOf(discovery, { include: [...include] }) : this.#byClass.values();
    // Several modules may provide one class. It is served once.
    const classes = new Set([...served].flatMap((provided) => classOf(provided) ?? []));
    this.services = [...classes].filter((target) => offersOperations(target));
  }

  /** @param token a token, or a class that is provided under any token */
  find(token: unknown): Provided | undefined {
    return this.#byClass.get(token) ?? this.#byToken.get(token);
  }
}

function allOf(discovery: DiscoveryService, options: { include?: Type[] } = {}): Provided[] {
  return [...discovery.getProviders(options), ...discovery.getControllers(options)];
}

/** The class of an instance, whichever kind of provider it comes from. An alias has no class of its own. */
function classOf({ isAlias, isNotMetatype, metatype, instance, token }: Provided): Type | undefined {
  if (isAlias) return undefined;
  if (!isNotMetatype) return metatype as Type;
  const made: unknown = (instance as object | null | undefined)?.constructor;
  return typeof made === 'function' && made !== Object ? (made as Type) : classToken(token);
}

function classToken(token: unknown): Type | undefined {
  return typeof token === 'function' ? (token as Type) : undefined;
}

function setOnce<K, V>(map: Map<K, V>, key: K, value: V): void {
  if (!map.has(key)) map.set(key, value);
}

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
