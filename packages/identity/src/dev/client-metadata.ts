import { readUrl, isLoopback } from '@toolwright/json';
import type { Configuration } from 'oidc-provider';

type Metadata = Record<string, unknown>;

const RESPONSE_TYPES = ['code'] as const;

/**
 * How both authorization servers read what clients say of themselves. They offer the code alone: their metadata name no other way,
 * and nobody can register for one.
 *
 * @param known the ids of clients of the configuration, which are taken as they are
 */
export function settingsForClients(known: readonly string[], read = readMetadata) {
  return {
    responseTypes: [...RESPONSE_TYPES],
    extraClientMetadata: {
      properties: ['software_id'],
      // Is called for each client, also for those of metadata documents, which no registration has read.
      validator(_ctx, _name, _value, metadata) {
        if (!known.includes(metadata.client_id)) read(metadata);
      },
    },
  } satisfies Configuration;
}

/**
 * Reads what a client says of itself. A server may replace what it does not take (RFC 7591, section 3.2.1), and real clients
 * say much that matters to no one: empty texts, ways that no server here has, no word of the computer that they are on.
 */
export function readMetadata(metadata: Metadata): void {
  for (const [name, value] of Object.entries(metadata))
    if (value === null || value === '') delete metadata[name];
  keepOnly(metadata, 'response_types', RESPONSE_TYPES);
  const { redirect_uris: uris } = metadata;
  if (Array.isArray(uris) && uris.some(isOfNative)) metadata['application_type'] = 'native';
}

/** Keeps the items of a list that the server knows. */
export function keepOnly(metadata: Metadata, name: string, known: readonly string[]): void {
  const { [name]: list } = metadata;
  if (!Array.isArray(list)) return;
  const kept = list.filter((each) => known.includes(each as string));
  // Where nothing is left, oidc-provider says what it does not take.
  if (kept.length > 0) metadata[name] = kept;
}

/** An application on this computer: it has a scheme of its own, or takes any port (RFC 8252, sections 7.1 and 7.3). */
function isOfNative(uri: unknown): boolean {
  const url = typeof uri === 'string' ? readUrl(uri) : undefined;
  if (url === undefined) return false;
  return !/^https?:$/.test(url.protocol) || (url.protocol === 'http:' && isLoopback(url));
}
