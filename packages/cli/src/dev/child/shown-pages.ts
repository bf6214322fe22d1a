import { resolve } from 'node:path';
import { PAGE_OBSERVER } from '@toolwright/json';
import type { DevLink } from '../messages.js';

/** The part of a served page that is used here. The app may have another copy of core. */
interface ServedPage {
  readonly uri: string;
  readonly page: string;
  readonly directory: string;
  readonly html: string;
  show(html: string): void;
}

/** The pages of views in this process. A view that was edited is shown at once: nothing else of the app changes. */
export class ShownPages {
  /** A service that is replaced leaves its pages behind, and nothing else may keep them. */
  #pages: WeakRef<ServedPage>[] = [];

  /** @param changed hears of each page that is another one now */
  constructor(
    link: Pick<DevLink, 'on' | 'tell'>,
    private readonly changed: (uri: string) => void,
  ) {
    (globalThis as Record<symbol, unknown>)[PAGE_OBSERVER] = (page: ServedPage) =>
      void this.#pages.push(new WeakRef(page));
    link.on('pages', ({ directory, pages }) => {
      const shown = this.#show(directory, pages);
      link.tell({ tell: 'shown', all: Object.keys(pages).every((name) => shown.has(name)) });
    });
  }

  /** @returns the names of the pages that are served */
  #show(directory: string, texts: Readonly<Record<string, string>>): ReadonlySet<string> {
    this.#pages = this.#pages.filter((each) => each.deref());
    const shown = new Set<string>();
    const uris = new Set<string>();
    for (const each of this.#pages) {
      const page = each.deref();
      const html = page && texts[page.page];
      if (!page || html === undefined || resolve(page.directory) !== directory) continue;
      shown.add(page.page);
      if (page.html === html) continue;
      page.show(html);
      uris.add(page.uri);
    }
    uris.forEach(this.changed);
    return shown;
  }
}
