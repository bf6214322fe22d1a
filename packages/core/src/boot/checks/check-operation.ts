import { factsOf } from '../../base/operation-kinds.js';
import type { JsonSchema } from '@toolwright/manifest';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import type { BoundOperation } from '../../call/operation/operation.js';
import { locationOf, type AnyDraft, type Draft } from '../../call/operation/draft.js';
import { findHiddenText } from './find-hidden-text.js';
import { publishedForm } from './published-form.js';
import { kindRecordOf } from '../kinds/kinds.js';
import { checkPatterns, type Report } from './report.js';
import { showHidden } from './unsafe-text.js';

/**
 * The names that can be published. The specification allows 128 characters and `/`, but some clients do not.
 */
const validName = /^[A-Za-z0-9_.-]{1,64}$/;

type UncheckedDraft = Draft<BoundOperation> & { kind: BoundOperation['kind'] };

/**
 * Finds everything in an operation that must not be published, or because of which clients would ignore it.
 *
 * @param problems the found problems are added here
 * @param inputs schema of the arguments, for kinds that do not publish one
 */
export function checkOperation(
  draft: UncheckedDraft,
  problems: ConfigurationProblem[],
  inputs?: JsonSchema,
): void {
  const report = (code: ConfigurationProblem['code'], message: string, fix: string) =>
    problems.push({ code, message, fix, ...locationOf(draft) });
  checkTexts(draft, report);
  if (inputs && !factsOf(draft).publishesSchemas)
    checkPatterns({ what: 'arguments', draft: draft as AnyDraft }, inputs, report);
  kindRecordOf(draft.kind).check?.(draft as never, report, inputs);
}

function checkTexts(draft: UncheckedDraft, report: Report): void {
  const { kind, name } = draft;
  if (factsOf(draft).address === 'name' && !validName.test(name)) {
    report(
      'TW_NAME_INVALID',
      `"${showHidden(name)}" cannot name a ${kind}.`,
      'Use 1 to 64 of the characters A-Z a-z 0-9 _ . -',
    );
  }
  for (const { place, character } of findHiddenText(publishedForm(draft as AnyDraft))) {
    report(
      'TW_TEXT_HIDDEN',
      `The ${kind} "${showHidden(name)}" has the hidden character ${character} in its ${place}.`,
      'Remove it, because models read it and reviewers cannot see it.',
    );
  }
}
