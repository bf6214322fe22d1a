import { getOrMake } from '@toolwright/json';
import { type Identified, addressOf } from './keys.js';
import type { BoundOperation } from './operation.js';

/** What versions of a tool differ in. */
interface Named {
  readonly name: string;
  readonly versionOf?: string | undefined;
}

/** Rules are asked for each call, so a version has one form for all of them. */
const forms = new WeakMap<object, object>();

/**
 * An operation as rules see it, whether an application or a package has written them. All versions of a tool are one tool
 * to a rule: they have its bare name, and a member `version`. So a rule about `refund` is one about `refund.v1`, too.
 */
export function withBareName<O extends Named>(operation: O): O {
  const { name, versionOf = name } = operation;
  if (versionOf === name) return operation;
  return getOrMake(forms, operation, () => renamed(operation as Named & Computed, versionOf)) as O;
}

/** What an operation computes when it is read. A copy has only what an operation has itself. */
interface Computed {
  readonly location?: unknown;
  readonly contract?: unknown;
  readonly plan?: unknown;
}

function renamed(operation: Named & Computed, name: string): object {
  return {
    ...operation,
    name,
    get location() {
      return operation.location;
    },
    get contract() {
      return operation.contract;
    },
    get plan() {
      return operation.plan;
    },
  };
}

type Versioned = Pick<BoundOperation, 'version' | 'versionOf'>;

/**
 * The name that means one version of a tool for good. The bare name means the newest version, and a release may bring a
 * newer one. So whatever outlives its request is kept under this name.
 */
export function exactName({ name, version, versionOf }: Pick<BoundOperation, 'name'> & Versioned): string {
  return versionOf === undefined ? name : `${versionOf}.v${version}`;
}

/** The same for every name of one version, and different for every other operation that a caller may use. */
export function exactKey(operation: Identified & Versioned): string {
  const { kind, versionOf } = operation;
  return `${kind} ${versionOf === undefined ? addressOf(operation) : exactName(operation)}`;
}

/** Negative if the first one is older. Numbers in versions count as numbers: 10 is newer than 9. */
export function compareVersions(one: Versioned, other: Versioned): number {
  return (one.version ?? '').localeCompare(other.version ?? '', 'en', { numeric: true });
}

/** What the URIs of links to the rest of results begin with. No resource of a server may have it. */
export const REST_SCHEME = 'toolwright-rest:';

const form = /^toolwright-rest:\/\/\/([^/]{1,400})\/([\w-]+)$/;

/** The URI of what was left out of a result. The name of its tool is readable, so that a person sees where it comes from. */
export function restUri(tool: string, sealed: string): string {
  return `${REST_SCHEME}///${encodeURIComponent(tool)}/${sealed}`;
}

/** The tool that a URI names; `undefined` for any other URI. */
export function toolIn(uri: string): string | undefined {
  const name = form.exec(uri)?.[1];
  try {
    return name && decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

export function sealedIn(uri: string): string | undefined {
  return form.exec(uri)?.[2];
}
