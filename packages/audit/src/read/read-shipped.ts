import { resolve } from 'node:path';
import { optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import { logPaths, slotsOf } from '../files/log-paths.js';
import type { AuditRecord } from '../record.js';
import { isAfter, readCursor } from '../shipping/shipper.js';
import { readSince, type OnBroken, type Position } from './read-since.js';

export interface ShippedOptions {
  /** The file of the log, as it was passed to `openAuditSink`. */
  file: string;
  /** The name of the sink. */
  sink: string;
  /** Is called where the log is visibly damaged. If it is not called, this proves nothing. */
  onBroken?: OnBroken;
}

const { callback, filledText, required } = optionRules;

const shippedOptions = {
  file: required(filledText),
  sink: required(filledText),
  onBroken: callback,
} satisfies OptionSchema<ShippedOptions>;

/** Some records of one writer, in the order of their numbers. */
export interface ShippedRecords {
  records: readonly AuditRecord[];
  /** True when the sink had acknowledged all of them before they were read. */
  isShipped: boolean;
}

/**
 * Reads the sealed records of a log, one writer after the other, and says which of them a sink has got. Use it to
 * compare a sink with the log. It does not verify the log.
 *
 * @throws AuditError `TW_AUDIT_NOT_FOUND` if there is not a log
 *
 * @example
 * for await (const { records, isShipped } of readShipped({ file, sink: 'table' })) {
 *   if (isShipped) await expectInTable(records);
 * }
 */
export async function* readShipped(options: ShippedOptions): AsyncGenerator<ShippedRecords> {
  const { file, sink, onBroken } = parseOptions('readShipped', shippedOptions, options);
  const log = logPaths(resolve(file));
  const slots = await slotsOf(log, file);
  const start: Position = { segment: 0, offset: 0 };
  for (const slot of slots) {
    const sent = (await readCursor(log.writer(slot).cursor(sink))) ?? start;
    for await (const { records, position } of readSince(log, slot, { position: start, onBroken })) {
      yield { records, isShipped: !isAfter(position, sent) };
    }
  }
}
