import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { collectRecords, findRecord } from '../../base/metadata/class-records.js';
import type { AnyClass } from '../../base/metadata/store.js';
import type { McpServiceOptions } from '../../decorators/mcp-service.js';
import { offersOperations } from '../classes/service.js';
import type { KernelOptions } from './server-options.js';

/** The class of an object that the application has made. */
export function classOf(instance: object): AnyClass {
  const prototype = Object.getPrototypeOf(instance) as { constructor?: unknown } | null;
  return (typeof prototype?.constructor === 'function' ? prototype.constructor : Object) as AnyClass;
}

/** What keeps a server from calling the objects that it was given. */
export function findInstanceProblems({
  instances = [],
  services = [],
  providers = [],
}: KernelOptions): ConfigurationProblem[] {
  const seen = new Set<AnyClass>();
  const provided = new Set(providers.map((each) => (typeof each === 'function' ? each : each.provide)));
  return instances.flatMap((instance, index) => {
    const target = classOf(instance);
    const name = target.name || 'an anonymous class';
    const problem = (message: string, fix: string): ConfigurationProblem[] => [
      { code: 'TW_OPTION_INVALID', message: `instances[${index}] ${message}`, fix },
    ];
    if (!offersOperations(target))
      return problem(
        `is of ${name}, which has no decorated method.`,
        'Decorate a method of its class with @McpTool or its like, or pass the object in `providers`.',
      );
    const { scope = 'singleton' } =
      findRecord<McpServiceOptions>(collectRecords(target).records, 'service')?.options ?? {};
    if (scope !== 'singleton')
      return problem(
        `is of ${name}, which has the scope "${scope}": all callers would share this one object.`,
        `Take the scope out of @McpService, or name ${name} in services, and the server builds one for each ${scope}.`,
      );
    if (seen.has(target))
      return problem(
        `is the second instance of ${name}: both have the same tools.`,
        'Pass one of them. For one set of tools for each, write a class for each.',
      );
    seen.add(target);
    if (services.includes(target))
      return problem(
        `is of ${name}, which the option services names, too: the server would build another one.`,
        `Take ${name} out of services.`,
      );
    return provided.has(target)
      ? problem(`is of ${name}, which the option providers provides, too.`, `Take ${name} out of providers.`)
      : [];
  });
}
