import type { JsonSchema, Revival } from '@toolwright/manifest';
import { lazily } from '../../base/lazily.js';
import { writerOf, type Manner } from './document-writers.js';
import { exactWriter } from './exact-writer.js';
import { writeWhole } from './json-text.js';
import type { OutputWriter } from './output-node.js';

/** How results are written. */
export interface OutputWriting extends Manner {
  readonly revival?: Revival | undefined;
}

/**
 * The writer of an output schema, made at first use. Most results are written in one pass; what is rare, or wrong, the
 * exact writer decides.
 */
export function outputWriter(schema: JsonSchema, writing: OutputWriting): OutputWriter {
  const fast = lazily(() => writerOf(schema, writing));
  const exact = lazily(() => exactWriter(schema, writing));
  // What a method does not return is null in JSON.
  return (value) => writeWhole(fast(), value ?? null) ?? exact()(value);
}
