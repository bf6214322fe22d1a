import { readUrl } from '../addresses/read-url.js';
import { decodeUri } from '../addresses/uri-text.js';
import { oncePerSchema } from './once.js';
import { pointerTokens } from '../base/json-values.js';
import { eachInside, isSchema, type JsonSchema } from './json-schema.js';
import { type Dialect, olderDialect } from './keywords.js';
import { knownSchemaAt } from './metaschema.js';

/** A part of a document that has an address of its own, its `$id`. References in it are relative to that address. */
export interface SchemaResource {
  readonly document: SchemaDocument;
  readonly address: string;
  readonly root: JsonSchema;
  readonly anchors: Map<string, JsonSchema>;
  /** The anchors that a `$dynamicRef` may find from afar. */
  readonly dynamicAnchors: Map<string, JsonSchema>;
  /** What the references that were followed from here lead to. */
  readonly targets: Map<string, ReferenceTarget | undefined>;
}

/** What a reference leads to, and the resource that has it. */
export interface ReferenceTarget {
  readonly schema: JsonSchema | boolean;
  readonly resource: SchemaResource;
  /** Set if the reference names an anchor, without a `#`. */
  readonly anchor?: string | undefined;
}

/** A document without an address needs one, so that relative references can be resolved. */
const NO_ADDRESS = 'json:///';

/**
 * The addresses and anchors of a document. It is only made for documents that need it: most references lead to `$defs`
 * of a document without addresses. Nothing is fetched: a reference leads to a place in the document, or to the schema of
 * all schemas.
 */
export class SchemaDocument {
  static readonly of = oncePerSchema((root) => new SchemaDocument(root));

  readonly main: SchemaResource;
  readonly #dialect: Dialect | undefined;
  readonly #byAddress = new Map<string, SchemaResource>();
  readonly #resources = new Map<JsonSchema, SchemaResource>();

  private constructor(root: JsonSchema) {
    this.#dialect = olderDialect(root.$schema);
    const queue: [JsonSchema, SchemaResource][] = [[root, this.#add(root, NO_ADDRESS)]];
    // A list of what is left, because types of an SDK may be thousands of levels deep.
    for (let next = queue.pop(); next; next = queue.pop()) {
      const [schema, outer] = next;
      if (this.#resources.has(schema)) continue;
      const resource = this.#enter(schema, outer);
      this.#resources.set(schema, resource);
      eachInside(schema, (inner) => queue.push([inner, resource]));
    }
    this.main = this.#resources.get(root)!;
  }

  /** The resource that has a schema of this document; undefined for a schema below an unknown keyword. */
  resourceOf(schema: JsonSchema): SchemaResource | undefined {
    return this.#resources.get(schema);
  }

  /** Everything that the references of a schema may lead to. */
  targetsOf(schema: JsonSchema): JsonSchema[] {
    const from = this.resourceOf(schema) ?? this.main;
    const { $ref, $dynamicRef } = schema;
    const found = [$ref, $dynamicRef].map((each) =>
      typeof each === 'string' ? this.resolve(each, from)?.schema : undefined,
    );
    return [...found, ...($dynamicRef === undefined ? [] : this.dynamicTargets())].filter(isSchema);
  }

  /** Everything that a `$dynamicRef` may lead to. */
  dynamicTargets(): JsonSchema[] {
    return [...new Set(this.#resources.values())].flatMap((resource) => [
      ...resource.dynamicAnchors.values(),
    ]);
  }

  /** @returns undefined for a reference that leads nowhere, or to a document that we do not have */
  resolve(reference: string, from: SchemaResource): ReferenceTarget | undefined {
    const { targets } = from;
    if (!targets.has(reference)) targets.set(reference, this.#find(reference, from));
    return targets.get(reference);
  }

  #find(reference: string, from: SchemaResource): ReferenceTarget | undefined {
    const [address, fragment] = addressOf(reference, from.address) ?? [];
    if (address === undefined || fragment === undefined) return undefined;
    const resource = this.#byAddress.get(address) ?? SchemaDocument.#elsewhere(address);
    if (!resource) return undefined;
    if (fragment === '') return { schema: resource.root, resource };
    if (fragment.startsWith('/')) return follow(resource, fragment);
    const schema = resource.anchors.get(fragment);
    return schema && { schema, resource, anchor: fragment };
  }

  static #elsewhere(address: string): SchemaResource | undefined {
    const known = knownSchemaAt(address);
    return known && SchemaDocument.of(known).#byAddress.get(address);
  }

  #enter(schema: JsonSchema, outer: SchemaResource): SchemaResource {
    let resource = outer;
    const [address, fragment] = this.#addressIn(schema, outer.address) ?? [];
    if (address !== undefined && address !== outer.address) resource = this.#add(schema, address);
    // Drafts before 2019-09 name a part by an id with a fragment.
    if (fragment) resource.anchors.set(fragment, schema);
    const { $anchor, $dynamicAnchor } = schema;
    if (typeof $anchor === 'string') resource.anchors.set($anchor, schema);
    if (typeof $dynamicAnchor === 'string') {
      resource.anchors.set($dynamicAnchor, schema);
      resource.dynamicAnchors.set($dynamicAnchor, schema);
    }
    return resource;
  }

  #addressIn(schema: JsonSchema, base: string): [address: string, fragment: string] | undefined {
    const id = schema.$id ?? ((this.#dialect || String(schema['id']).startsWith('#')) && schema['id']);
    // Up to draft-07, a reference hides all keywords beside it.
    if (typeof id !== 'string' || (this.#dialect?.ignoresSiblings && schema.$ref !== undefined))
      return undefined;
    return addressOf(id, base);
  }

  #add(root: JsonSchema, address: string): SchemaResource {
    const maps = { anchors: new Map(), dynamicAnchors: new Map(), targets: new Map() };
    const resource: SchemaResource = { document: this, address, root, ...maps };
    if (!this.#byAddress.has(address)) this.#byAddress.set(address, resource);
    return resource;
  }
}

/** An absolute address, and the fragment as it was before it was written into an address. */
function addressOf(reference: string, base: string): [address: string, fragment: string] | undefined {
  const url = readUrl(reference, base);
  if (url === undefined) return undefined;
  const { href, hash } = url;
  return [href.split('#', 1)[0]!, decodeUri(hash.slice(1))];
}

function follow(from: SchemaResource, pointer: string): ReferenceTarget | undefined {
  let found: unknown = from.root;
  let resource = from;
  for (const token of pointerTokens(pointer)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, token)) return undefined;
    found = (found as Record<string, unknown>)[token];
    if (isSchema(found)) resource = from.document.resourceOf(found) ?? resource;
  }
  return isSchema(found) || typeof found === 'boolean' ? { schema: found, resource } : undefined;
}
