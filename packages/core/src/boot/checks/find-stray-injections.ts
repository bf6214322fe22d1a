import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { findRecord } from '../../base/metadata/class-records.js';
import { problemAt } from '../../base/metadata/site-problem.js';
import type { Service } from '../services/service.js';

/**
 * Reports `@Inject` on parameters of methods that the server does not call, because nothing would be injected
 * there.
 */
export function findStrayInjections({ name, records, operations }: Service): ConfigurationProblem[] {
  const called = new Set(operations.map(({ method }) => method));
  return records.methods
    .filter(({ method }) => !called.has(method) && method !== 'complete')
    .flatMap(({ method, parameters, records: own }) =>
      [['', own] as const, ...parameters].flatMap(([index, found]) => {
        const record = findRecord(found, index === '' ? 'injections' : 'inject');
        if (!record) return [];
        const place = index === '' ? 'on' : `before parameter ${index} of`;
        return problemAt(record.site, 'TW_DECORATOR_PLACE', {
          message: `@Inject is ${place} ${name}.${method}, but this method is no tool, prompt or resource, so the container would not inject it.`,
          fix: 'Take it in the constructor, or decorate the method with @McpTool, @McpPrompt or the like.',
        });
      }),
    );
}
