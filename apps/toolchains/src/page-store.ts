import { Injectable } from '@toolwright/core';
import { Clock } from './clock.js';
import { StoreBase } from './store-base.js';

/** Nobody lists this class: the decorator is enough. */
@Injectable()
export class PageStore extends StoreBase {
  private readonly pages = new Map([['1', 'Hello']]);

  find(id: string): string | undefined {
    return this.pages.get(id);
  }

  dated(text: string): string {
    return `${text} at ${this.clock instanceof Clock ? this.clock.now().toISOString() : 'no time'}`;
  }
}
