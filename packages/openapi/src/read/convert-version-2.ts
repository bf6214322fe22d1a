import type { OpenApiDocument } from './openapi-document.js';
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
    const { openapi } = await converter.convertObj(JSON.parse(JSON.stringify(document)) as object, {
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
