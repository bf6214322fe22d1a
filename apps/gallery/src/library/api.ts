import { ApiClient } from '@toolwright/openapi';

/** The file that the tools come from. */
export const specification = 'library.yaml';

/**
 * The client of Library API: where the API is, and how it knows who calls.
 * Credentials come from the environment. Use a function for a token that depends on the caller.
 */
export class LibraryApi extends ApiClient {
  constructor() {
    const { LIBRARY_API_URL, LIBRARY_TOKEN } = process.env;
    super({
      baseUrl: LIBRARY_API_URL ?? 'https://library.example/v1',
      token: LIBRARY_TOKEN,
    });
  }
}
