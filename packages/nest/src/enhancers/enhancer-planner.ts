import { HttpException } from '@nestjs/common';
import type { ApplicationConfig, ContextId, ExternalContextCreator, ModuleRef } from '@nestjs/core';
import {
  type Call,
  ConfigurationError,
  type ConfigurationProblem,
  ToolError,
  isToolwrightError,
} from '@toolwright/core';
import type { AroundMethod, DecoratedMember } from '@toolwright/core/extend';
import { isObservable, lastValueFrom } from 'rxjs';
import type { CallContexts, Provided, ProvidedClasses } from '../container/provided-classes.js';
import { exchanges } from '../http/nest-endpoint.js';
import { MCP_CONTEXT } from './mcp-execution-context.js';

/** What the planner takes from Nest. */
interface EnhancerSources {
  readonly creator: ExternalContextCreator;
  readonly config: ApplicationConfig;
  readonly moduleRef: ModuleRef;
  readonly provided: ProvidedClasses;
  readonly contexts: CallContexts;
}

type Step = (...args: readonly unknown[]) => Promise<unknown>;

/** The functions that run the enhancers of one method on one instance. */
interface Steps {
  /** Guards, interceptors, then the method. */
  readonly run: Step;
  /** The exception filters. */
  readonly filter: Step;
}

/** Decides at boot which methods the enhancers of Nest run around. */
export class EnhancerPlanner {
  /** Global enhancers in request scope. Nest builds them with controllers only, so calls build them themselves. */
  readonly #scoped: readonly unknown[];

  constructor(
    private readonly sources: EnhancerSources,
    private readonly includesAll: boolean,
  ) {
    const { config } = sources;
    this.#scoped = [
      ...config.getGlobalRequestGuards(),
      ...config.getGlobalRequestInterceptors(),
      ...config.getGlobalRequestFilters(),
    ].map(({ token }) => token);
  }

  /** @throws {ConfigurationError} when Nest could not run an enhancer that is written on the method or class */
  plan(member: DecoratedMember): AroundMethod {
    const { names, problem } = declaredEnhancers(member, this.sources.provided.find(member.target));
    if (problem) throw new ConfigurationError(problem);
    const isEnhanced = !member.static && (this.includesAll || names.length > 0);
    return isEnhanced ? this.#enhanced(member) : plain;
  }

  #enhanced({ target, name }: DecoratedMember): AroundMethod {
    const method = (target.prototype as Record<string, object>)[name]!;
    const handler = handlerFor(method, name);
    const { contexts, provided } = this.sources;
    const isStatic = this.#scoped.length === 0 && provided.find(target)!.isDependencyTreeStatic();
    let kept: Steps | undefined;
    return async (call, instance, proceed) => {
      const context = isStatic ? undefined : contexts.of(call);
      if (context) await this.#buildScoped(context);
      const make = () => this.#steps(instance, { handler, name, context });
      const steps = isStatic ? (kept ??= make()) : make();
      return runSteps(steps, call, proceed).catch((error: unknown) => {
        throw toToolError(error);
      });
    };
  }

  #steps(
    instance: unknown,
    { handler, name, context }: { handler: Step; name: string; context: ContextId | undefined },
  ): Steps {
    const { creator } = this.sources;
    const create = (kinds: { guards: boolean; interceptors: boolean; filters: boolean }) =>
      creator.create(
        instance as object as Record<string, never>,
        handler,
        name,
        undefined,
        undefined,
        context,
        undefined,
        kinds,
        MCP_CONTEXT,
      ) as Step;
    return {
      run: create({ guards: true, interceptors: true, filters: false }),
      filter: create({ guards: false, interceptors: false, filters: true }),
    };
  }

  async #buildScoped(context: ContextId): Promise<void> {
    const { moduleRef } = this.sources;
    for (const token of this.#scoped) await moduleRef.resolve(token as never, context, { strict: false });
  }
}

async function runSteps({ run, filter }: Steps, call: Call, proceed: () => unknown): Promise<unknown> {
  const { request, response } = exchanges.getStore() ?? {};
  try {
    return await run(request, response, proceed, call);
  } catch (error) {
    // These are answers already: a ToolError, or a question to the client.
    if (isToolwrightError(error) || call.request.input.pending.size > 0) throw error;
    const fail = () => Promise.reject(error);
    const answer = await filter(request, response, fail, call);
    // Filters that were written for message handlers return an observable.
    return isObservable(answer) ? lastValueFrom(answer) : answer;
  }
}

/** Without enhancers of Nest. */
const plain: AroundMethod = async (_call, _instance, proceed) => {
  try {
    return await proceed();
  } catch (error) {
    throw toToolError(error);
  }
};

/**
 * The handler that enhancers see: `context.getHandler()`. Nest calls it with the arguments of the context, among
 * which is the way to the method. It inherits from the method, so a `Reflector` finds everything that
 * decorators have left there.
 */
function handlerFor(method: object, name: string): Step {
  const handler: Step = async (_request, _response, proceed) => (proceed as () => unknown)();
  Object.defineProperty(handler, 'name', { value: name });
  return Object.setPrototypeOf(handler, method) as Step;
}

/** Where `@UseGuards`, `@UseInterceptors` and `@UseFilters` leave what they were given. */
const keys = {
  '@UseGuards': '__guards__',
  '@UseInterceptors': '__interceptors__',
  '@UseFilters': '__exceptionFilters__',
};

/** The enhancers that are written on a method or on its class, and why Nest could not run them. */
function declaredEnhancers(
  { target, name, static: isStatic }: DecoratedMember,
  provided: Provided | undefined,
): { names: readonly string[]; problem?: ConfigurationProblem } {
  const method = (isStatic ? target : (target.prototype as object))[name as never] as object;
  const declared = Object.entries(keys).flatMap(([decorator, key]) =>
    [target, method]
      .flatMap((place) => (Reflect.getMetadata(key, place) ?? []) as unknown[])
      .map((enhancer) => ({ decorator, enhancer })),
  );
  const names = declared.map(({ decorator }) => decorator);
  const [first] = declared;
  if (first && isStatic) return { names, problem: onStatic(`${target.name}.${name}`, first.decorator) };
  const known = provided?.host?.injectables;
  const lost = declared.find(
    ({ enhancer }) => typeof enhancer === 'function' && !known?.has(enhancer as never),
  );
  return lost ? { names, problem: unknownTo(target.name, lost) } : { names };
}

function onStatic(method: string, decorator: string): ConfigurationProblem {
  return {
    code: 'TW_DECORATOR_PLACE',
    message: `${decorator} applies to ${method}, which is static. Nest runs enhancers around instances only.`,
    fix: 'Make it a method of the instance, or remove the decorator.',
  };
}

function unknownTo(
  service: string,
  { decorator, enhancer }: { decorator: string; enhancer: unknown },
): ConfigurationProblem {
  const { name } = enhancer as { name: string };
  return {
    code: 'TW_DECORATOR_PLACE',
    message: `${decorator}(${name}) on ${service} would never run: Nest reads enhancers of classes that a module lists themselves.`,
    fix: `List ${service} itself among the providers, not { provide: … }, or pass an instance: ${decorator}(new ${name}(…)).`,
  };
}

/**
 * An `HttpException` below 500 is meant for the caller, so its message becomes a `ToolError`. Every other error
 * stays as it is.
 */
function toToolError(error: unknown): unknown {
  if (!(error instanceof HttpException) || error.getStatus() >= 500) return error;
  return new ToolError(messageOf(error), { cause: error });
}

/** A `ValidationPipe` lists its messages in the response. */
function messageOf(error: HttpException): string {
  const response = error.getResponse();
  const listed = typeof response === 'object' ? (response as { message?: unknown }).message : response;
  return Array.isArray(listed) ? listed.join('; ') : error.message;
}
