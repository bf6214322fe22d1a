import type { JsonSchema, Revival } from '@toolwright/manifest';
import { writerOf, type Manner } from './document-writers.js';
import { exactWriter } from './exact-writer.js';
import { wholeWriter } from './json-text.js';
import type { OutputWriter } from './output-node.js';

/** How results are written. */
export interface OutputWriting extends Manner {
  readonly revival?: Revival | undefined;
}

/** The writer of an output schema. */
export function outputWriter(schema: JsonSchema, writing: OutputWriting): OutputWriter {
  return wholeWriter(() => writerOf(schema, writing), exactWriter(schema, writing));
}
