import { ConfigurationError } from '@toolwright/ground/base/errors/configuration-error';
import type { Principal } from '@toolwright/ground/base/request-context';
import type { Environment } from '@toolwright/ground/call/environment';
import { isSensitiveOperation } from '@toolwright/ground/call/hide-sensitive';
import type { Draft } from '@toolwright/ground/call/operation/draft';
import {
  type Identified,
  addressOf,
  keepWritten,
  writtenAudience,
} from '@toolwright/ground/call/operation/keys';
import { compareVersions } from '@toolwright/ground/call/operation/names';
import type { Audience, BoundOperation } from '@toolwright/ground/call/operation/operation';
import type { Catalogue } from '@toolwright/ground/call/operation/registry';
import { getOrMake } from '@toolwright/json';
import { isInAudience } from '../../policies/authorize.js';
import { mayFail } from '../../policies/plan-chain.js';

/** Makes a draft ready to run. */
export type PlanDraft = (draft: Draft<BoundOperation>, environment: Environment) => BoundOperation;

/** An operation in a catalogue, or about to be added to one. */
export interface CatalogueEntry<O extends BoundOperation> {
  readonly draft: Draft<O>;
  /** The operation. It is made when it is first looked up, or earlier if making it may fail. */
  operation: O | undefined;
  /** Further operations with the same key, each for callers of its own. Most keys have none. */
  others?: readonly CatalogueEntry<O>[];
}

/** The side of a catalogue that changes it. It keeps the drafts, so that chains can be planned again. */
export class OperationCatalogue<O extends BoundOperation> implements Catalogue<O> {
  private entries = new Map<string, CatalogueEntry<O>>();
  /** The keys of all versions of a tool, by the name that the newest one has. Few tools have versions. */
  private readonly versions = new Map<string, Set<string>>();
  /** What there is, and what of it lists show. `undefined` after a change, until somebody asks. */
  private whole: readonly O[] | undefined;
  private listed: readonly O[] | undefined;
  hadSensitive = false;
  /** Gives keys that are there for one that is not. */
  otherNames?: (key: string) => readonly string[];

  constructor(
    private readonly environment: Environment,
    private readonly planned: PlanDraft,
  ) {}

  get(key: string): O | undefined {
    const entry = this.entries.get(key);
    return entry && this.ready(entry);
  }

  getFor(key: string, principal: Principal | undefined): O | undefined {
    const entry = this.entries.get(key);
    if (!entry) return this.otherFor(key, principal);
    if (!entry.others) return this.ready(entry);
    const meant = [entry, ...entry.others].filter(({ draft }) => isInAudience(draft.audience!, principal));
    if (meant.length > 1) throw ambiguous(key, meant);
    return this.ready(meant[0] ?? entry);
  }

  /** A name that may mean several operations of a caller means none. */
  private otherFor(key: string, principal: Principal | undefined): O | undefined {
    const meant = (this.otherNames?.(key) ?? []).filter((name) =>
      this.entriesOf(name).some(({ draft: { audience } }) => !audience || isInAudience(audience, principal)),
    );
    return meant.length === 1 ? this.getFor(meant[0]!, principal) : undefined;
  }

  candidates(key: string): readonly O[] {
    const names = (!this.entries.has(key) && this.otherNames?.(key)) || [key];
    return names.flatMap((name) => this.entriesOf(name)).map((entry) => this.ready(entry));
  }

  everything(): readonly O[] {
    return (this.whole ??= Object.freeze(this.all().map((entry) => this.ready(entry))));
  }

  list(): readonly O[] {
    return (this.listed ??= listedOf(this.everything()));
  }

  /**
   * The operations as drafts. Most operations of a large server are never called, so they are never planned.
   */
  drafts(): Draft<O>[] {
    // The bare name of a tool with versions only repeats the newest one.
    return this.all()
      .map(({ draft }) => draft)
      .filter((draft) => draft.versionOf === undefined || draft.isUnlisted);
  }

  /** The drafts with this key. */
  draftsOf(key: string): readonly Draft<O>[] {
    return this.entriesOf(key).map(({ draft }) => draft);
  }

  /** The operation that was made of a draft, or of the one that replaced it. */
  operationOf(draft: Draft<O>): O | undefined {
    const found = this.entriesOf(this.key(draft)).find((each) => isSame(each.draft, draft));
    return found && this.ready(found);
  }

  key(operation: Identified): string {
    return addressOf(operation);
  }

  /**
   * Makes a draft ready to run, without adding it.
   *
   * @throws {ConfigurationError} when no chain can be planned for it
   */
  plan(draft: Draft<O>): O {
    return Object.freeze(this.planned(draft, this.environment)) as O;
  }

  /**
   * Does the part of adding a draft that can fail.
   *
   * @throws {ConfigurationError} when no chain can be planned for it
   */
  prepare(draft: Draft<O>): CatalogueEntry<O> {
    return { draft, operation: mayFail(draft, this.environment) ? this.plan(draft) : undefined };
  }

  /** Adds an operation. If one with the same key and audience exists, it is replaced at its place in the list. */
  set(entry: CatalogueEntry<O>): void {
    this.noteGone(this.entriesOf(this.key(entry.draft)));
    const { versionOf, isUnlisted } = entry.draft;
    this.put(entry);
    if (versionOf === undefined || !isUnlisted) return;
    getOrMake(this.versions, versionOf, () => new Set()).add(this.key(entry.draft));
    this.nameNewest(versionOf);
  }

  /** Gives each caller the newest version under the bare name, and marks the older ones. */
  private nameNewest(bare: string): void {
    const keys = [...(this.versions.get(bare) ?? [])].filter((key) => this.entries.has(key));
    if (keys.length > 0) this.versions.set(bare, new Set(keys));
    else this.versions.delete(bare);
    const found = keys.flatMap((key) => this.entriesOf(key));
    const marked = markOutdated(found.map(({ draft }) => draft));
    for (const [index, draft] of marked.entries())
      if (draft !== found[index]!.draft) this.put({ draft, operation: undefined });
    const plain = this.entriesOf(bare).filter(({ draft }) => draft.versionOf === undefined);
    const named = marked.flatMap((draft) => {
      const audience = audienceOfBareName(draft);
      if (audience === 'nobody') return [];
      const { audience: _, ...rest } = draft;
      const newest = { ...rest, name: bare, isUnlisted: false, isOutdated: false } as Draft<O>;
      return [{ draft: audience ? { ...newest, audience } : newest, operation: undefined }];
    });
    this.keep(bare, [...plain, ...named]);
  }

  private noteGone(gone: readonly CatalogueEntry<O>[]): void {
    this.hadSensitive ||= gone.some(({ draft }) => isSensitiveOperation(draft));
  }

  private put(entry: CatalogueEntry<O>): void {
    const key = this.key(entry.draft);
    const known = this.entries.get(key);
    // Nearly every name has one operation.
    if (!known || (!known.others && isSame(known.draft, entry.draft))) {
      this.entries.set(key, entry);
      this.forget();
      return;
    }
    const all = [known, ...(known.others ?? [])];
    const place = all.findIndex(({ draft }) => isSame(draft, entry.draft));
    // Two that are for everybody are one: the new one replaces the old one.
    if (place >= 0) all[place] = entry;
    else all.push(entry);
    this.keep(key, all);
  }

  /** @param draft the only one to remove; default: all with this key. The bare name of a tool removes its versions */
  delete(key: string, draft?: Draft<O>): boolean {
    const isMeant = (each: CatalogueEntry<O>) => !draft || isSame(each.draft, draft);
    const gone = this.entriesOf(key).filter(isMeant);
    this.noteGone(gone);
    const left = this.entriesOf(key).filter((each) => !isMeant(each));
    this.keep(key, left);
    const isBare = this.versions.has(key);
    for (const version of this.versions.get(key) ?? [])
      this.keep(
        version,
        this.entriesOf(version).filter((each) => !gone.some((one) => namesFor(one.draft, each.draft))),
      );
    const names = new Set([...gone.map((each) => each.draft.versionOf), isBare ? key : undefined]);
    for (const bare of names) if (bare !== undefined) this.nameNewest(bare);
    return gone.length > 0;
  }

  /**
   * Plans every chain again after the middleware has changed.
   *
   * @returns a function that replaces the old chains with the new ones; if a `when` throws before, no chain
   *   changes
   */
  replan(): () => void {
    const prepared = this.drafts().map((draft) => this.prepare(draft));
    return () => {
      this.entries = new Map();
      this.versions.clear();
      for (const entry of prepared) this.set(entry);
      this.forget();
    };
  }

  private forget(): void {
    this.whole = undefined;
    this.listed = undefined;
  }

  private all(): CatalogueEntry<O>[] {
    return [...this.entries.values()].flatMap((entry) => (entry.others ? [entry, ...entry.others] : entry));
  }

  private entriesOf(key: string): readonly CatalogueEntry<O>[] {
    const entry = this.entries.get(key);
    return entry ? [entry, ...(entry.others ?? [])] : [];
  }

  private keep(key: string, [first, ...others]: readonly CatalogueEntry<O>[]): void {
    this.forget();
    if (!first) return void this.entries.delete(key);
    const { draft, operation } = first;
    this.entries.set(key, { draft, operation, ...(others.length > 0 && { others }) });
  }

  private ready(entry: CatalogueEntry<O>): O {
    return (entry.operation ??= this.plan(entry.draft));
  }
}

/** Nearly every server lists everything that it has. */
function listedOf<O extends BoundOperation>(all: readonly O[]): readonly O[] {
  return all.some(({ isUnlisted }) => isUnlisted)
    ? Object.freeze(all.filter(({ isUnlisted }) => !isUnlisted))
    : all;
}

/** Operations with one key differ in whom they are for. */
function isSame(one: { readonly audience?: Audience }, other: { readonly audience?: Audience }): boolean {
  return one.audience === other.audience;
}

function ambiguous(
  key: string,
  meant: readonly { readonly draft: Draft<BoundOperation> }[],
): ConfigurationError {
  const names = meant.map(({ draft: { title, description, location } }) => location ?? title ?? description);
  return new ConfigurationError({
    code: 'TW_AUDIENCE_AMBIGUOUS',
    message: `Several operations named "${key}" are for one caller: ${names.map((name) => `"${name}"`).join(' and ')}.`,
    fix: 'Let `for` of exactly one of them return true for each caller.',
  });
}

/** What a version of a tool says about itself. */
interface Versioned {
  readonly version?: string | undefined;
  readonly audience?: Audience;
  readonly isOutdated?: boolean | Audience;
}

type OfVersion = Pick<BoundOperation, 'kind' | 'name' | 'versionOf' | 'audience'>;

/** Says of each version who has a newer one. What has not changed is the same object. */
function markOutdated<D extends Versioned>(versions: readonly D[]): D[] {
  return versions.map((one) => {
    const newer = versions.filter((other) => compareVersions(other, one) > 0).map(({ audience }) => audience);
    const isOutdated = newer.some((audience) => !audience || audience === one.audience)
      ? true
      : newer.length > 0 &&
        ((principal: Principal | undefined) => newer.some((audience) => isInAudience(audience!, principal)));
    return isOutdated === (one.isOutdated ?? false) ? one : { ...one, isOutdated };
  });
}

/** The callers who get a version under the bare name: it is for them, and they have no newer one. */
function audienceOfBareName({ audience, isOutdated = false }: Versioned): Audience | undefined | 'nobody' {
  if (typeof isOutdated === 'boolean') return isOutdated ? 'nobody' : audience;
  const narrowed: Audience = (principal) =>
    (!audience || isInAudience(audience, principal)) && !isOutdated(principal);
  const whom = audience ? audience.name || 'callers' : 'everybody';
  Object.defineProperty(narrowed, 'name', { value: `${whom} without a newer version` });
  return keepWritten(narrowed, audience);
}

/** Whether a bare name means a version, or would if the same callers had no newer one. */
function namesFor(bare: OfVersion, version: OfVersion): boolean {
  return bare.versionOf === version.versionOf && writtenAudience(bare) === writtenAudience(version);
}
