import { didYouMean } from '@toolwright/manifest';
import type { ProtocolError } from '../../base/errors/errors.js';
import { clip, invalidParams } from '../messages/protocol-errors.js';

/** -32602 with the nearest names that the caller may use. */
export function unknownName(kind: string, name: string, known: readonly string[]): ProtocolError {
  return invalidParams(`Unknown ${kind}: ${clip(name)}.${didYouMean(name, known)}`);
}
