import { LibraryApi } from './api.js';
import { BooksTools } from './books-tools.js';
import { LoansTools } from './loans-tools.js';

/** The tools of the API, for `services` of `createMcpServer`. */
export const services = [BooksTools, LoansTools];

/** What the services need, for `providers`. */
export const providers = [{ provide: LibraryApi, useFactory: () => new LibraryApi() }];
