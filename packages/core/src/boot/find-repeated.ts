import type { ConfigurationProblem } from '../errors/configuration-error.js';
import { placeKey } from '../metadata/place.js';
import { ownRecords, type DecoratorRecord } from '../metadata/store.js';
import { lineage } from '../metadata/class-records.js';
import { problemAt } from './problem.js';
import type { Service } from './service.js';

/** Reports decorators that were written twice on one place, where only one of them could hold. */
export function findRepeated({ target, name }: Service): ConfigurationProblem[] {
  return lineage(target).flatMap((each) => {
    const seen = new Set<string>();
    const problems: ConfigurationProblem[] = [];
    for (const record of ownRecords(each)) {
      const slot = `${record.kind} ${record.name} ${placeKey(record.place)}`;
      const isRepeated = seen.has(slot) && !record.combine && record.kind !== 'completion';
      seen.add(slot);
      if (isRepeated) problems.push(repeated(record, name));
    }
    return problems;
  });
}

function repeated(
  { kind, name: policy, place, site }: DecoratorRecord,
  className: string,
): ConfigurationProblem {
  const member = place.on === 'class' ? className : `${className}.${place.method ?? 'constructor'}`;
  return problemAt(site, 'TW_DECORATOR_REPEATED', {
    message: `${member} has two decorators of the kind ${policy || kind}; only one can hold.`,
    fix: 'Remove one of them, or decorate a second method.',
  });
}
