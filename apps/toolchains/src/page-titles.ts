import { Injectable } from '@toolwright/core';
import { PageStore } from './page-store.js';

/** A completion provider that needs something itself. */
@Injectable()
export class PageTitles {
  constructor(private readonly pages: PageStore) {}

  complete(typed: string): string[] {
    return ['1', '2'].filter((id) => id.startsWith(typed) && this.pages.find(id) !== undefined);
  }
}
