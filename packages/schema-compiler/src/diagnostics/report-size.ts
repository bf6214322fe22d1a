import type { JsonSchema } from '@toolwright/manifest';
import type { ts } from 'typescript-json-schema';
import type { Reporter } from './reporter.js';

/** Bytes of JSON that the schemas of one tool may have: about two thousand tokens in every conversation. */
export const SIZE_BUDGET = 8192;

/** Warns of a tool whose schemas cost more than the budget. */
export function reportSize(
  schemas: { input: JsonSchema; output: JsonSchema | null },
  reporter: Reporter,
  place: ts.Node,
): void {
  const size = JSON.stringify([schemas.input, schemas.output]).length;
  if (size <= SIZE_BUDGET) return;
  reporter.report(
    'TW_SCHEMA_TOO_LARGE',
    `The schemas take ${size} bytes, the budget is ${SIZE_BUDGET}.`,
    place,
  );
}
