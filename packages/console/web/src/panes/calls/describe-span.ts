import type { RecordedSpan } from '../../../../src/api/record-api.js';

/** The attributes that say what a span did, the most telling first. Both generations of names are in use. */
const telling = [
  'db.query.text',
  'db.statement',
  'db.query.summary',
  'url.full',
  'http.url',
  'url.path',
  'http.target',
  'http.route',
  'rpc.method',
  'messaging.destination.name',
];

/** What a span did, in one line. */
export function describeSpan({ attributes }: RecordedSpan): string | undefined {
  const key = telling.find((each) => typeof attributes[each] === 'string');
  if (key === undefined) return undefined;
  const method = attributes['http.request.method'] ?? attributes['http.method'];
  const text = String(attributes[key]).replace(/\s+/g, ' ').trim();
  return typeof method === 'string' && !key.startsWith('db.') ? `${method} ${text}` : text;
}

/** What sort of work a span is, in a word that people use. */
export function sortOf({ attributes }: RecordedSpan): string {
  const has = (start: string) => Object.keys(attributes).some((key) => key.startsWith(start));
  if (has('mcp.')) return 'request';
  if (has('db.')) return 'query';
  if (has('http.') || has('url.')) return 'HTTP';
  if (has('messaging.')) return 'message';
  return has('rpc.') ? 'RPC' : 'span';
}
