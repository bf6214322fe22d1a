import { systemClock } from '../../ports/clock-and-ids.js';
import type { BuiltPage } from '../../call/operation/operation.js';

/** `toolwright dev` leaves a function under this symbol, and hears of every page that a server of this process serves. */
const PAGE_OBSERVER = Symbol.for('toolwright.pageObserver');

interface PagePlace {
  readonly uri: string;
  /** Its name in the file of the pages. */
  readonly page: string;
  /** The folder of the manifest. */
  readonly directory: string;
}

/** The page of a view, as it is served now. In development a newer one takes its place while the server runs. */
export class ServedPage {
  readonly uri: string;
  readonly page: string;
  readonly directory: string;
  readonly built: { -readonly [Member in keyof BuiltPage]: BuiltPage[Member] };

  constructor(
    { uri, page, directory }: PagePlace,
    public html: string,
    { view, at }: Pick<BuiltPage, 'view' | 'at'>,
  ) {
    this.uri = uri;
    this.page = page;
    this.directory = directory;
    this.built = { view, at, bytes: Buffer.byteLength(html) };
    const observe = (globalThis as Record<symbol, unknown>)[PAGE_OBSERVER] as
      ((page: ServedPage) => void) | undefined;
    observe?.(this);
  }

  /** Serves a newer page from now on. What else the server knows of it, such as its policy, must be the same. */
  show(html: string): void {
    this.html = html;
    this.built.bytes = Buffer.byteLength(html);
    this.built.at = systemClock.now();
  }
}
