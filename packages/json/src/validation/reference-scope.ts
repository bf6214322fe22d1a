import type { JsonSchema } from '../schema/json-schema.js';
import type { ReferenceTarget, SchemaResource } from '../schema/schema-document.js';

/**
 * The place of a check in documents with addresses: references are relative to its resource, and a `$dynamicRef` finds
 * the first of the anchors with its name on the way there.
 *
 * Equal scopes are the same object, so that verdicts can be remembered for them.
 */
export class ReferenceScope {
  static #begun = new WeakMap<SchemaResource, ReferenceScope>();

  private constructor(
    readonly resource: SchemaResource,
    private readonly way: Way,
  ) {}

  /** The scope at the beginning of a document. */
  static at(resource: SchemaResource): ReferenceScope {
    let scope = ReferenceScope.#begun.get(resource);
    if (!scope)
      ReferenceScope.#begun.set(
        resource,
        (scope = ReferenceScope.#in(resource, new Way(new Map()).through(resource))),
      );
    return scope;
  }

  /** The scope in another resource, to which the check goes from here. */
  enter(resource: SchemaResource): ReferenceScope {
    return resource === this.resource ? this : ReferenceScope.#in(resource, this.way.through(resource));
  }

  /** What a `$dynamicRef` to a name means here; undefined if no resource on the way has such an anchor. */
  dynamicTarget(anchor: string): ReferenceTarget | undefined {
    return this.way.targets.get(anchor);
  }

  static #in(resource: SchemaResource, way: Way): ReferenceScope {
    let scope = way.scopes.get(resource);
    if (!scope) way.scopes.set(resource, (scope = new ReferenceScope(resource, way)));
    return scope;
  }
}

/** What dynamic anchors mean after a check has gone through some resources. */
class Way {
  readonly scopes = new Map<SchemaResource, ReferenceScope>();
  readonly #further = new Map<SchemaResource, Way>();

  constructor(readonly targets: ReadonlyMap<string, ReferenceTarget>) {}

  /** The outermost resource wins, so that one which brings no new names changes nothing. */
  through(resource: SchemaResource): Way {
    const known = this.#further.get(resource);
    if (known) return known;
    const added = [...resource.dynamicAnchors].filter(([name]) => !this.targets.has(name));
    const targets = added.map(([name, schema]): [string, ReferenceTarget] => [
      name,
      targetOf(schema, resource),
    ]);
    const way = added.length === 0 ? this : new Way(new Map([...this.targets, ...targets]));
    this.#further.set(resource, way);
    return way;
  }
}

const targetOf = (schema: JsonSchema, resource: SchemaResource): ReferenceTarget => ({ schema, resource });
