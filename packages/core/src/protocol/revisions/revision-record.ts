import type { Era, Revision } from '../../base/request-context.js';
import type { Codec } from '../codecs/codec.js';
import type { PublishSchemas } from '../codecs/published-schemas.js';
import type { ServerInfo } from '../protocol-host.js';
import type { Features } from './features.js';

/** What a codec needs from its server. */
export interface CodecSetup {
  readonly info: ServerInfo;
  readonly publish: PublishSchemas;
}

/**
 * Everything that the framework knows about one revision of the protocol. To add a revision, add a file like
 * the others, a line in `served-revisions.ts`, and its name in `base/revision.ts`.
 */
export interface RevisionRecord {
  readonly version: Revision;
  readonly era: Era;
  readonly features: Features;
  /** Makes the codec that writes results and definitions in the form of this revision. */
  createCodec(revision: RevisionRecord, setup: CodecSetup): Codec;
}
