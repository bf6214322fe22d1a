import type { ConfigurationProblem, DecoratedMember } from '@toolwright/core';
import type { Provided } from '../container/provided-classes.js';

/** Where `@UseGuards`, `@UseInterceptors` and `@UseFilters` leave what they were given. */
const keys = {
  '@UseGuards': '__guards__',
  '@UseInterceptors': '__interceptors__',
  '@UseFilters': '__exceptionFilters__',
};

/** The enhancers that are written on a method or on its class, and why Nest could not run them. */
export function declaredEnhancers(
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
