import type { Principal } from '@toolwright/core';
import type { ListKind } from '@toolwright/json';
import { createHash } from 'node:crypto';
import { BUDGET } from '../budget.js';
import type { UpstreamCatalogue } from '../read-catalogue.js';
import { COMMON } from '../session/caller-values.js';

type Definition = Readonly<Record<string, unknown>>;
type Audience = (principal: Principal | undefined) => boolean;

/** One form of an operation, and the callers who have it. */
export interface Form {
  /** Tells it from other forms of the same name. */
  readonly key: string;
  readonly audience: Audience;
  readonly definition: Definition;
  readonly bytes: number;
  /** The keys of the lists that have it. */
  readonly lists: Set<string>;
}

const KINDS: readonly (readonly [
  kind: ListKind,
  list: 'tools' | 'prompts' | 'resources' | 'apps' | 'resourceTemplates',
])[] = [
  ['tool', 'tools'],
  ['prompt', 'prompts'],
  ['resource', 'resources'],
  ['resource', 'apps'],
  ['resourceTemplate', 'resourceTemplates'],
];

/**
 * What a server behind lists for callers whose values differ. A form is one operation of ours, for exactly those callers whose
 * list has it: a description or a schema may have data of a tenant.
 */
export class OfferedForms {
  readonly #lists = new Map<string, UpstreamCatalogue>();
  readonly #forms = new Map<string, Form>();
  readonly #byDefinition = new WeakMap<Definition, Form>();
  #bytes = 0;

  /** @param isListed whether a caller has the list with one of these keys */
  constructor(
    private readonly isListed: (principal: Principal | undefined, lists: ReadonlySet<string>) => boolean,
  ) {}

  has(list: string): boolean {
    const known = this.#lists.get(list);
    if (!known) return false;
    this.#lists.delete(list);
    this.#lists.set(list, known);
    return true;
  }

  formOf(definition: Definition): Form | undefined {
    return this.#byDefinition.get(definition);
  }

  /**
   * Keeps what one list has.
   *
   * @returns the keys of the lists that were forgotten for it
   */
  set(list: string, catalogue: UpstreamCatalogue): readonly string[] {
    this.#leave(list);
    const own = Object.fromEntries(
      KINDS.map(([kind, name]) => [
        name,
        catalogue[name].map((each) => this.#join(list, kind, each).definition),
      ]),
    ) as unknown as UpstreamCatalogue;
    this.#lists.delete(list);
    this.#lists.set(list, { ...catalogue, ...own });
    this.#sweep();
    const forgotten: string[] = [];
    for (const oldest of this.#lists.keys()) {
      if (this.#lists.size <= BUDGET.lists && this.#bytes <= BUDGET.formBytes) break;
      // The list for everybody stays.
      if (oldest === list || oldest === COMMON) continue;
      this.#leave(oldest);
      this.#lists.delete(oldest);
      this.#sweep();
      forgotten.push(oldest);
    }
    return forgotten;
  }

  /** All forms of all lists. Several may have one name. */
  merged(): Omit<UpstreamCatalogue, 'left' | 'unread'> {
    const all = [...this.#lists.values()];
    return Object.fromEntries(
      KINDS.map(([, name]) => [name, [...new Set(all.flatMap((catalogue) => catalogue[name]))]]),
    ) as unknown as UpstreamCatalogue;
  }

  #join(list: string, kind: ListKind, definition: Definition): Form {
    const text = JSON.stringify(definition);
    const digest = createHash('sha256').update(kind).update(text).digest('hex').slice(0, 32);
    let form = this.#forms.get(digest);
    if (!form) {
      const lists = new Set<string>();
      const audience = (principal: Principal | undefined) => this.isListed(principal, lists);
      form = { key: digest, audience, definition, bytes: Buffer.byteLength(text), lists };
      this.#forms.set(digest, form);
      this.#byDefinition.set(definition, form);
      this.#bytes += form.bytes;
    }
    form.lists.add(list);
    return form;
  }

  #leave(list: string): void {
    for (const { lists } of this.#forms.values()) lists.delete(list);
  }

  #sweep(): void {
    for (const [key, { lists, bytes }] of this.#forms)
      if (lists.size === 0) {
        this.#forms.delete(key);
        this.#bytes -= bytes;
      }
  }
}
