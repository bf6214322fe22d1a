import type { JsonSchema } from '../schema/json-schema.js';
import { runRules } from './assertion-rules.js';
import { currentCheck } from './check-budget.js';
import { EvaluatedParts } from './evaluated-parts.js';
import { mergePointsOf } from './merge-points.js';
import type { ReferenceScope } from './reference-scope.js';
import { collecting, type Place, type Rule, silently } from './validation-run.js';

/** Whether a value fits; for schemas that are asked what they describe, also that. */
type Verdict = boolean | EvaluatedParts;

/** The verdicts of one check. They refer to values, so they go when the check ends. */
class VerdictMemo {
  readonly #verdicts = new Map<ReferenceScope | undefined, Map<JsonSchema, Map<unknown, Verdict>>>();

  constructor(readonly check: number) {}

  of(schema: JsonSchema, scope: ReferenceScope | undefined): Map<unknown, Verdict> {
    let bySchema = this.#verdicts.get(scope);
    if (!bySchema) this.#verdicts.set(scope, (bySchema = new Map()));
    let byValue = bySchema.get(schema);
    if (!byValue) bySchema.set(schema, (byValue = new Map()));
    return byValue;
  }
}

let mergePoints: ReadonlySet<JsonSchema> | undefined;

/** The verdicts alone, and those with what the schema describes. */
const memos: { plain?: VerdictMemo | undefined; collecting?: VerdictMemo | undefined } = {};

/** Forgets the verdicts of the check that has ended. */
export function forgetVerdicts(): void {
  mergePoints = undefined;
  memos.plain = memos.collecting = undefined;
}

/**
 * Checks a value in a check that takes long. A part of the schema that can be reached in several ways checks each value
 * once: without that, 26 levels of two alternatives take 67 million checks. So the time is that of all parts of the schema
 * for all parts of the value.
 */
export function judgeOnce(value: unknown, schema: JsonSchema, place: Place, rules: readonly Rule[]): boolean {
  mergePoints ??= mergePointsOf(place.run.root);
  if (!mergePoints.has(schema)) return runRules(rules, value, schema, place);
  // Problems are not remembered, but a value without any needs no second look.
  if (place.run.problems) {
    const silent = collecting(silently(place), place.evaluated);
    return judgeOnce(value, schema, silent, rules) || runRules(rules, value, schema, place);
  }
  const verdicts = memoOf(place.evaluated ? 'collecting' : 'plain').of(schema, place.scope);
  let verdict = verdicts.get(value);
  if (verdict === undefined) {
    const parts = place.evaluated && new EvaluatedParts();
    const fits = runRules(rules, value, schema, parts ? collecting(place, parts) : place);
    verdict = fits && (parts ?? true);
    verdicts.set(value, verdict);
  }
  if (verdict instanceof EvaluatedParts) place.evaluated!.add(verdict);
  return verdict !== false;
}

function memoOf(kind: keyof typeof memos): VerdictMemo {
  let memo = memos[kind];
  if (memo?.check !== currentCheck.number) memos[kind] = memo = new VerdictMemo(currentCheck.number);
  return memo;
}
