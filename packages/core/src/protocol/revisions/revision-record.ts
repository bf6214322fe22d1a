import type { Era, Revision } from '../../base/revision.js';
import type { Codec } from '../codecs/codec.js';
import type { PublishSchemas } from '../codecs/published-schemas.js';
import type { ServerInfo } from '../protocol-host.js';
import type { Features } from './features.js';

/** What a codec needs of the server that it writes for. */
export interface CodecSetup {
  readonly info: ServerInfo;
  readonly publish: PublishSchemas;
}

/**
 * Everything that the framework knows of one revision of the protocol. A new one is a file beside the others, a line in
 * `served-revisions.ts`, and its name in `base/revision.ts`.
 */
export interface RevisionRecord {
  readonly version: Revision;
  readonly era: Era;
  readonly features: Features;
  /** Makes what writes results and definitions in the shapes of this revision. */
  createCodec(revision: RevisionRecord, setup: CodecSetup): Codec;
}
