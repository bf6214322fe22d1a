import { randomUUID } from 'node:crypto';
import { isJson } from '../model/media-types.js';
import { StyledValue } from './styled-value.js';
import { jsonOf, textOf } from './write-value.js';

/** A body of several parts, with the type that names its boundary. */
export interface Multipart {
  readonly contentType: string;
  readonly body: Uint8Array;
}

/**
 * Writes the members of an object as parts (RFC 7578). `FormData` of Node.js gives each part that has a type a file name, too,
 * and servers then take a part of JSON for an upload.
 *
 * @param parts the types of members, where the specification says them
 */
export function writeMultipart(
  members: object,
  parts: Readonly<Record<string, string>> = {},
  contentType = 'multipart/form-data',
): Multipart {
  const boundary = `toolwright-${randomUUID()}`;
  const written = Object.entries(members).flatMap(([name, given]: [string, unknown]) =>
    valuesOf(inOnePart(given), parts[name]).map((each) => partOf(name, each, parts[name])),
  );
  const pieces = written.flatMap(({ head, content }) => [
    `--${boundary}\r\n${head}\r\n\r\n`,
    content,
    '\r\n',
  ]);
  const body = Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)));
  return { contentType: `${contentType}; boundary=${boundary}`, body };
}

const separators: Readonly<Record<string, string>> = {
  commaSeparated: ',',
  spaceDelimited: ' ',
  pipeDelimited: '|',
};

/** A list with a style is one part. */
function inOnePart(given: unknown): unknown {
  if (!(given instanceof StyledValue)) return given;
  const { style, value } = given;
  if (!Array.isArray(value)) return value;
  return value.length === 0 ? undefined : value.map(textOf).join(separators[style] ?? ',');
}

/** A list has a part for each item, unless the whole list is one value of JSON. */
function valuesOf(value: unknown, type: string | undefined): unknown[] {
  const isOne = !Array.isArray(value) || (type !== undefined && isJson(type));
  return (isOne ? [value] : (value as unknown[])).filter((each) => each !== undefined && each !== null);
}

function partOf(
  name: string,
  value: unknown,
  type: string | undefined,
): { head: string; content: string | Uint8Array } {
  const isFile = value instanceof Uint8Array;
  const isObject = typeof value === 'object' && !isFile && !(value instanceof Date);
  const usual = isFile ? 'application/octet-stream' : isObject ? 'application/json' : undefined;
  const stated = type ?? usual;
  const file = isFile ? `; filename="${quoted(name)}"` : '';
  return {
    head: [
      `Content-Disposition: form-data; name="${quoted(name)}"${file}`,
      ...(stated === undefined ? [] : [`Content-Type: ${stated}`]),
    ].join('\r\n'),
    content: isFile
      ? value
      : isObject || (type !== undefined && isJson(type))
        ? jsonOf(value)
        : textOf(value),
  };
}

/** As browsers write names, so that none ends its line. */
const quoted = (name: string) => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
