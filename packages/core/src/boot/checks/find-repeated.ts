import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { isSamePlace } from '../../base/metadata/place-record.js';
import { ownRecords, type DecoratorRecord } from '../../base/metadata/store.js';
import { lineage } from '../../base/metadata/class-records.js';
import { problemAt } from '../../base/metadata/site-problem.js';
import type { Service } from '../services/service.js';

/** Reports decorators that are written twice at one place, because only one of them could apply. */
export function findRepeated({ target, name }: Service): ConfigurationProblem[] {
  return lineage(target).flatMap((each) =>
    ownRecords(each)
      .filter(isRepeated)
      .map((record) => repeated(record, name)),
  );
}

/** The records of one place follow each other. */
function isRepeated(record: DecoratorRecord, index: number, records: readonly DecoratorRecord[]): boolean {
  for (let before = index - 1; before >= 0; before--) {
    const other = records[before]!;
    if (!isSamePlace(other.place, record.place)) return false;
    if (excludes(other, record)) return true;
  }
  return false;
}

function excludes(first: DecoratorRecord, second: DecoratorRecord): boolean {
  const isSameKind = first.kind === second.kind && first.name === second.name;
  return isSameKind && !second.combine && second.kind !== 'completion';
}

function repeated(
  { kind, name: policy, place, site }: DecoratorRecord,
  className: string,
): ConfigurationProblem {
  const member = place.on === 'class' ? className : `${className}.${place.method ?? 'constructor'}`;
  return problemAt(site, 'TW_DECORATOR_REPEATED', {
    message: `${member} has two decorators of the kind ${policy || kind}; only one can apply.`,
    fix: 'Remove one of them, or decorate a second method.',
  });
}
