import type { Exchange } from '../endpoint/exchange.js';

/** Only clients of the protocol send these. */
const PROTOCOL_HEADERS = ['mcp-session-id', 'mcp-protocol-version', 'last-event-id'];

/**
 * True for a person who opens the endpoint in a browser: a GET that names `text/html`, and not the stream of events
 * that the protocol has behind the same method.
 */
export function wantsPage(exchange: Exchange): boolean {
  if (exchange.method !== 'GET') return false;
  const types = mediaTypes(exchange.header('accept'));
  if (!types.includes('text/html') || types.includes('text/event-stream')) return false;
  return PROTOCOL_HEADERS.every((name) => exchange.header(name) === undefined);
}

/** The media types of an Accept header, without those that the client refuses (`q=0`). */
function mediaTypes(accept = ''): string[] {
  return accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter(([, ...parameters]) => !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)))
    .map(([type]) => type!);
}
