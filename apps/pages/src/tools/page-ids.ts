import { type CompletionSource, Injectable } from '@toolwright/core';
import { PageStore } from '../pages/page-store.js';

/** Completes a page's id from the first letters of the id or of the title. */
@Injectable()
export class PageIds implements CompletionSource {
  constructor(private readonly pages: PageStore) {}

  complete(value: string): Promise<string[]> {
    return this.pages.idsStartingWith(value);
  }
}
