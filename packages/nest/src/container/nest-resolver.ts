import type { ModuleRef } from '@nestjs/core';
import type {
  AroundMethod,
  CallSource,
  DecoratedMember,
  ExternalResolver,
  InjectionToken,
  MaybePromise,
  Scope,
} from '@toolwright/core';
import type { EnhancerPlanner } from '../enhancers/enhancer-planner.js';
import type { CallContexts } from './call-contexts.js';
import type { ProvidedClasses } from './provided-classes.js';

/** Lets the container of Nest own every instance. */
export class NestResolver implements ExternalResolver {
  constructor(
    private readonly provided: ProvidedClasses,
    private readonly moduleRef: ModuleRef,
    private readonly contexts: CallContexts,
    private readonly enhancers: EnhancerPlanner,
  ) {}

  has(token: InjectionToken): boolean {
    return this.provided.find(token) !== undefined;
  }

  scope(token: InjectionToken): Scope {
    return this.provided.find(token)!.isDependencyTreeStatic() ? 'singleton' : 'request';
  }

  resolve(token: InjectionToken, call?: CallSource): MaybePromise<unknown> {
    const provided = this.provided.find(token)!;
    if (!call && !provided.isTransient) return provided.instance;
    const context = call && this.contexts.of(call);
    return this.moduleRef.resolve(provided.token as never, context, { strict: false });
  }

  around(member: DecoratedMember): AroundMethod {
    return this.enhancers.plan(member);
  }
}
