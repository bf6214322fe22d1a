/**
 * The largest number of messages in a batch. Each may be answered with a whole list, so a small body could
 * ask for gigabytes.
 */
export const MAX_BATCH = 100;
/** The longest text that is sent back again and again, such as a progress token. */
export const MAX_REPEATED = 1_000;
/**
 * The longest URI that may be watched. No longer URI is matched against templates, and each is kept as long
 * as its stream.
 */
export const MAX_URI = 8_192;
/** The largest description of a client, as JSON, that a session keeps. */
export const MAX_DESCRIPTION = 16_384;
