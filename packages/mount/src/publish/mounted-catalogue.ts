import type { ExtensionHost } from '@toolwright/core/extend';
import { type Findings, findPoison, type Poison } from '../pins/find-poison.js';
import type { MountSettings } from '../options.js';
import { type HeldChange, type HeldText, Pins, TOO_MANY_NAMES } from '../pins/pins.js';
import type { LeftOut, UpstreamCatalogue } from '../read-catalogue.js';
import type { CatalogueView, Shown } from './catalogue-view.js';
import type { PublishedMount } from './published-mount.js';

const NOTHING: UpstreamCatalogue = {
  ...{ tools: [], prompts: [], resources: [], resourceTemplates: [], left: [] },
  unread: new Set(),
};

/** What is remembered of names that come after the first catalogue, besides `limits.tools`. */
const LATER_BYTES = 16 * 1024 * 1024;

/** What the catalogue uses of its server. */
interface CatalogueHost {
  readonly extension: ExtensionHost;
  readonly view: CatalogueView;
  /** Counts something that a person should look at. */
  found(attributes: Record<string, string>): void;
}

/** What of a mount is in our lists: what was accepted of what its server offers. */
export class MountedCatalogue {
  readonly #pins: Pins;
  #accepted = NOTHING;
  #shown: Shown = { operations: 0, left: [] };
  #held: readonly HeldChange[] = [];
  #findings: Findings = { found: [], mentions: [] };
  #suspicious: readonly Poison[] = [];
  #collision: unknown;

  constructor(
    private readonly mount: PublishedMount,
    private readonly settings: MountSettings,
    private readonly host: CatalogueHost,
  ) {
    const { logger } = host.extension;
    const limits = { names: settings.limits.tools, bytes: LATER_BYTES };
    this.#pins = new Pins(mount.name, limits, settings.lock, (err) =>
      logger.error({ mount: mount.name, err }, 'The lock of a mounted server cannot be used'),
    );
  }

  /** A name that is taken at boot. */
  get collision(): unknown {
    return this.#collision;
  }

  get status() {
    return {
      operations: this.#shown.operations,
      left: [...this.#accepted.left, ...this.#shown.left],
      held: this.#pins.held,
      suspicious: this.#suspicious,
    };
  }

  /** Shows what was accepted, and says what was not, and which descriptions somebody should read. */
  async offer(offered: UpstreamCatalogue, isFirst: boolean): Promise<void> {
    const catalogue = this.#pins.hold(offered);
    this.#accepted = catalogue;
    this.#held = this.#report(
      this.#held,
      this.#pins.held,
      'A mounted server has changed, and the change is held back',
    );
    this.#findings = findPoison(offered);
    this.#judge();
    this.host.view.follow(this.mount, () => this.#judge());
    await this.#show(catalogue, isFirst);
  }

  /** From now on, what is held back is what was accepted: all of it, or the forms with these digests. */
  accept(which?: readonly string[]): boolean {
    return this.#pins.accept(which);
  }

  /** The words of what is held back, old and new. */
  heldTexts(): HeldText[] {
    return this.#pins.texts();
  }

  /** What the server behind offers, whether it was accepted or not. */
  get offered(): Pins['offered'] {
    return this.#pins.offered;
  }

  hide(): Promise<void> {
    this.host.view.leave(this.mount);
    return this.#show(NOTHING, false);
  }

  /** A description may name a tool of somebody else before our server has that tool. */
  #judge(): void {
    const { found, mentions } = this.#findings;
    const others = mentions.length > 0 ? this.host.view.toolsOfOthers(this.mount) : new Set<string>();
    const foreign = mentions.filter(({ tool }) => others.has(tool));
    this.#suspicious = this.#report(
      this.#suspicious,
      [...found, ...foreign.map(({ kind, name, words }) => ({ kind, name, words }))],
      'A description of a mounted server addresses the model: read it',
    );
  }

  /** Each finding is logged and recorded once. Names beyond what is remembered are one finding: their server has no end of them. */
  #report<T extends HeldChange | Poison>(
    known: readonly T[],
    found: readonly T[],
    message: string,
  ): readonly T[] {
    const { logger, record, alarm } = this.host.extension;
    const { name } = this.mount;
    const keyOf = (each: T) =>
      'reason' in each && each.reason === TOO_MANY_NAMES ? TOO_MANY_NAMES : JSON.stringify(each);
    const told = new Set(known.map(keyOf));
    for (const finding of found) {
      const key = keyOf(finding);
      if (told.has(key)) continue;
      told.add(key);
      logger.warn({ mount: name, ...finding }, message);
      const outcome = 'changed' in finding ? 'held' : 'suspicious';
      const reason = 'changed' in finding ? finding.changed.join(', ') : finding.words;
      this.host.found({ 'toolwright.mount': name, 'toolwright.mount.finding': outcome });
      record({ operation: 'mount', name, outcome, principal: undefined, fields: { ...finding } });
      alarm({ type: 'upstream', caller: name, operation: finding.name, reason });
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
