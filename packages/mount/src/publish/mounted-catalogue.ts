import type { ExtensionHost } from '@toolwright/core/extend';
import { findPoison, type Poison } from '../find-poison.js';
import type { MountSettings } from '../options.js';
import { type HeldChange, Pins } from '../pins.js';
import type { LeftOut, UpstreamCatalogue } from '../read-catalogue.js';
import type { CatalogueView, Shown } from './catalogue-view.js';
import type { PublishedMount } from './published-mount.js';

const NOTHING: UpstreamCatalogue = { tools: [], prompts: [], resources: [], resourceTemplates: [], left: [] };

/** What of a mount is in our lists: what was accepted of what its server offers. */
export class MountedCatalogue {
  readonly #pins: Pins;
  #accepted = NOTHING;
  #shown: Shown = { operations: 0, left: [] };
  #held: readonly HeldChange[] = [];
  #suspicious: readonly Poison[] = [];
  #collision: unknown;

  constructor(
    private readonly mount: PublishedMount,
    private readonly settings: MountSettings,
    private readonly host: { readonly extension: ExtensionHost; readonly view: CatalogueView },
  ) {
    this.#pins = new Pins(mount.name, settings.lock);
  }

  /** A name that is taken at boot. */
  get collision(): unknown {
    return this.#collision;
  }

  get status() {
    return {
      operations: this.#shown.operations,
      left: [...this.#accepted.left, ...this.#shown.left],
      held: this.#held,
      suspicious: this.#suspicious,
    };
  }

  /** Shows what was accepted, and says what was not, and which descriptions somebody should read. */
  async offer(offered: UpstreamCatalogue, isFirst: boolean): Promise<void> {
    const { catalogue, held } = this.#pins.hold(offered);
    this.#accepted = catalogue;
    this.#held = this.#report(this.#held, held, 'A mounted server has changed, and the change is held back');
    this.#suspicious = this.#report(
      this.#suspicious,
      findPoison(offered),
      'A description of a mounted server addresses the model: read it',
    );
    await this.#show(catalogue, isFirst);
  }

  /** From now on, what the server offers is what was accepted. */
  accept(): void {
    this.#pins.accept();
  }

  hide(): Promise<void> {
    return this.#show(NOTHING, false);
  }

  /** Each finding is logged and recorded once. */
  #report<T extends HeldChange | Poison>(
    known: readonly T[],
    found: readonly T[],
    message: string,
  ): readonly T[] {
    const { logger, record } = this.host.extension;
    const { name } = this.mount;
    const before = new Set(known.map((each) => JSON.stringify(each)));
    for (const finding of found) {
      if (before.has(JSON.stringify(finding))) continue;
      logger.warn({ mount: name, ...finding }, message);
      const outcome = 'changed' in finding ? 'held' : 'suspicious';
      record({ operation: 'mount', name, outcome, principal: undefined, fields: { ...finding } });
    }
    return found;
  }

  async #show(catalogue: UpstreamCatalogue, isFirst: boolean): Promise<void> {
    try {
      this.#shown = await this.host.view.show(this.mount, this.settings, { catalogue, isFirst });
    } catch (error) {
      // The server behind can be reached, so it must not be tried again. The boot fails.
      this.#collision = error;
    }
    this.#shown.left.forEach((each) => this.#warnOf(each));
  }

  #warnOf({ kind, name, reason }: LeftOut): void {
    const { logger } = this.host.extension;
    logger.warn({ mount: this.mount.name, kind, name, reason }, 'Something of a mounted server is left out');
  }
}
