import type { ExtensionHost } from '@toolwright/core/extend';
import { getOrMake, type HeldChange, type HeldText, type LeftOut, type Poison } from '@toolwright/json';
import { BUDGET } from '../budget.js';
import { type Findings, findPoison } from '../pins/find-poison.js';
import type { MountSettings } from '../options.js';
import { COMMON } from '../session/caller-values.js';
import { Pins, TOO_MANY_NAMES } from '../pins/pins.js';
import type { UpstreamCatalogue } from '../read-catalogue.js';
import type { CatalogueView, Shown } from './catalogue-view.js';
import { isSelected, textsOf } from '../patterns.js';
import { appOf } from './definitions.js';
import type { PublishedMount } from './published-mount.js';

const NOTHING: UpstreamCatalogue = {
  tools: [],
  prompts: [],
  resources: [],
  resourceTemplates: [],
  apps: [],
  left: [],
  unread: new Set(),
};

/** What the catalogue uses of its server. */
interface CatalogueHost {
  readonly extension: ExtensionHost;
  readonly view: CatalogueView;
  /** Counts something that a person should look at. */
  found(attributes: Record<string, string>, by?: 0): void;
}

/** What of a mount is in our lists: what was accepted of what its server offers. */
export class MountedCatalogue {
  /** By the keys of lists. Most mounts have one list. */
  readonly #pins = new Map<string, Pins>();
  readonly #left = new Map<string, readonly LeftOut[]>();
  #shown: Shown = { operations: 0, left: [] };
  #held: readonly HeldChange[] = [];
  readonly #findings = new Map<string, Findings>();
  #suspicious: readonly Poison[] = [];
  #collision: unknown;

  constructor(
    private readonly mount: PublishedMount,
    private readonly settings: MountSettings,
    private readonly host: CatalogueHost,
  ) {
    // A file that is not a lock is a problem of the boot.
    this.#pinsOf(COMMON);
    for (const outcome of ['held', 'suspicious'] as const) this.#found(outcome, 0);
  }

  #pinsOf(list: string): Pins {
    const { mount, settings, host } = this;
    const limits = { names: settings.limits.tools, bytes: BUDGET.laterBytes };
    const failed = (err: unknown) =>
      host.extension.logger.error({ mount: mount.name, err }, 'The lock of a mounted server cannot be used');
    return getOrMake(this.#pins, list, () => new Pins(mount.name, limits, settings.lock, failed));
  }

  /** A name that is taken at boot. */
  get collision(): unknown {
    return this.#collision;
  }

  get status() {
    return {
      operations: this.#shown.operations,
      left: [...this.#left.values(), this.#shown.left].flat(),
      held: this.#held,
      suspicious: this.#suspicious,
    };
  }

  /**
   * Shows what was accepted, and says what was not, and which descriptions somebody should read.
   *
   * @param list the key of the list: callers with equal values have one
   */
  async offer(list: string, offered: UpstreamCatalogue, isFirst: boolean): Promise<void> {
    const catalogue = withApps(await this.#pinsOf(list).hold(offered), this.settings);
    this.#left.set(list, catalogue.left);
    this.#findings.set(list, await findPoison(offered));
    const { forms } = this.mount;
    for (const forgotten of forms?.set(list, catalogue) ?? [])
      for (const kept of [this.#left, this.#findings, this.#pins]) kept.delete(forgotten);
    this.#held = this.#report(
      this.#held,
      [...this.#pins.values()].flatMap(({ held }) => held),
      'A mounted server has changed, and the change is held back',
    );
    this.#judge();
    this.host.view.listeners.set(this.mount, () => this.#judge());
    await this.#show(forms ? { ...catalogue, ...forms.merged() } : catalogue, isFirst);
  }

  /** From now on, what is held back is what was accepted: all of it, or the forms with these digests. */
  accept(which?: readonly string[]): boolean {
    const accepted = [...this.#pins.values()].map((pins) => pins.accept(which));
    return accepted.some(Boolean);
  }

  /** The words of what is held back, old and new. */
  heldTexts(): HeldText[] {
    return [...this.#pins.values()].flatMap((pins) => pins.texts());
  }

  /** What the server behind offers, whether it was accepted or not. */
  get offered(): Pins['offered'] {
    return this.#pinsOf(COMMON).offered;
  }

  hide(): Promise<void> {
    this.host.view.listeners.delete(this.mount);
    return this.#show(NOTHING, false);
  }

  /** A description may name a tool of somebody else before our server has that tool. */
  #judge(): void {
    const all = [...this.#findings.values()];
    const found = all.flatMap((each) => each.found);
    const mentions = all.flatMap((each) => each.mentions);
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
    const heard = new Set(known.map(keyOf));
    for (const finding of found) {
      const key = keyOf(finding);
      if (heard.has(key)) continue;
      heard.add(key);
      logger.warn({ mount: name, ...finding }, message);
      const outcome = 'changed' in finding ? 'held' : 'suspicious';
      const reason = 'changed' in finding ? finding.changed.join(', ') : finding.words;
      this.#found(outcome);
      record({ operation: 'mount', name, outcome, principal: undefined, fields: { ...finding } });
      alarm({ type: 'upstream', caller: name, operation: finding.name, reason });
    }
    return found;
  }

  #found(outcome: 'held' | 'suspicious', by?: 0): void {
    this.host.found({ 'toolwright.mount': this.mount.name, 'toolwright.mount.finding': outcome }, by);
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

/**
 * A server need not list the pages in which its tools show their results. One that it lists says more about itself, so it wins.
 * A page is for those who have its tool.
 */
function withApps(catalogue: UpstreamCatalogue, { select }: MountSettings): UpstreamCatalogue {
  const listed = catalogue.resources.filter((each) => isSelected(select, textsOf(each, 'uri')));
  const uris = new Set(listed.map(({ uri }) => uri));
  const apps = catalogue.tools
    .filter((tool) => isSelected(select, textsOf(tool, 'name')))
    .map(appOf)
    .filter((app) => app !== undefined && !uris.has(app['uri']));
  return { ...catalogue, apps: [...new Map(apps.map((app) => [app!['uri'], app!])).values()] };
}
