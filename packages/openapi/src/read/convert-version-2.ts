import { LIST_FORMAT } from '../model/list-formats.js';
import type { OpenApiDocument } from './openapi-document.js';
import { isObject } from './specification.js';
import { SpecificationError } from './specification-error.js';

interface Converter {
  convertObj(document: object, options: object): Promise<{ openapi: OpenApiDocument }>;
}

/**
 * Turns a document of version 2.0 into one of version 3.0. Only builds and imports do this: a server that runs
 * loads no converter.
 */
export async function convertVersion2(document: object): Promise<OpenApiDocument> {
  const { default: converter } = (await import('swagger2openapi')) as unknown as { default: Converter };
  try {
    // The converter writes into what it gets, and refuses an object that is in two places, as aliases of YAML make one.
    // `patch` repairs small problems, and `warnOnly` goes on after others.
    const { openapi } = await converter.convertObj(withListFormats(document), {
      patch: true,
      warnOnly: true,
      resolve: false,
      resolveInternal: false,
    });
    return openapi;
  } catch (error) {
    const [line = ''] = String((error as Error).message ?? error).split('\n');
    throw new SpecificationError(`The specification of version 2.0 cannot be converted: ${line}`, {
      cause: error,
    });
  }
}

/** The formats of lists that the converter keeps, by the place of the parameter. Without a format, a list is `csv`. */
const kept: Readonly<Record<string, readonly string[]>> = {
  query: ['csv', 'ssv', 'pipes', 'multi'],
  path: ['csv'],
  header: ['csv'],
};

/** A copy whose parameters have the formats that the converter drops under a name that it leaves. */
function withListFormats(document: object): object {
  return JSON.parse(JSON.stringify(document), (_key, value: unknown) => {
    const { type, in: place, items, collectionFormat = 'csv' } = (isObject(value) ? value : {}) as Parameter2;
    if (type !== 'array' || place === undefined) return value;
    // A list of files is sent as one part for each file.
    if (place === 'formData' && (items?.type === 'file' || items?.format === 'binary')) return value;
    const isNested = items?.type === 'array';
    if (!isNested && kept[place]?.includes(collectionFormat)) return value;
    return { ...(value as object), [LIST_FORMAT]: isNested ? 'nested' : collectionFormat };
  }) as object;
}

interface Parameter2 {
  readonly type?: string;
  readonly in?: string;
  readonly items?: { readonly type?: string; readonly format?: string };
  readonly collectionFormat?: string;
}
