/** Formats that the server checks in arguments, and formats that only describe a value. */
const FORMATS = new Set(
  (
    'date time date-time iso-time iso-date-time duration uri uri-reference uri-template iri iri-reference url email ' +
    'idn-email hostname idn-hostname ipv4 ipv6 regex uuid json-pointer relative-json-pointer ' +
    'json-pointer-uri-fragment byte binary password int32 int64 float double'
  ).split(' '),
);

/** Formats of numbers in OpenAPI. */
const NUMERIC = new Set(['int32', 'int64', 'float', 'double']);

/** Says what is wrong with a format for values of these types; undefined if nothing is wrong. */
export function formatFault(format: string, types: readonly string[] | undefined): string | undefined {
  if (!FORMATS.has(format)) return `@format ${format} is unknown, so it checks nothing.`;
  if (!types || types.includes('string') || NUMERIC.has(format)) return undefined;
  return `@format ${format} does nothing on a value of the type ${types.join(' or ')}.`;
}
