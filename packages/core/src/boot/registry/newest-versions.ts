import type { Principal } from '../../base/request-context.js';
import { keepWritten, writtenAudience } from '../../call/operation/keys.js';
import type { Audience, BoundOperation } from '../../call/operation/operation.js';
import { compareVersions } from '../../call/operation/names.js';
import { isInAudience } from '../../policies/authorize.js';

/** What a version of a tool says about itself. */
interface Versioned {
  readonly version?: string | undefined;
  readonly audience?: Audience;
  readonly isOutdated?: boolean | Audience;
}

type OfVersion = Pick<BoundOperation, 'kind' | 'name' | 'versionOf' | 'audience'>;

/** Says of each version who has a newer one. What has not changed is the same object. */
export function markOutdated<D extends Versioned>(versions: readonly D[]): D[] {
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
export function audienceOfBareName({
  audience,
  isOutdated = false,
}: Versioned): Audience | undefined | 'nobody' {
  if (typeof isOutdated === 'boolean') return isOutdated ? 'nobody' : audience;
  const narrowed: Audience = (principal) =>
    (!audience || isInAudience(audience, principal)) && !isOutdated(principal);
  const whom = audience ? audience.name || 'callers' : 'everybody';
  Object.defineProperty(narrowed, 'name', { value: `${whom} without a newer version` });
  return keepWritten(narrowed, audience);
}

/** Whether a bare name means a version, or would if the same callers had no newer one. */
export function namesFor(bare: OfVersion, version: OfVersion): boolean {
  return bare.versionOf === version.versionOf && writtenAudience(bare) === writtenAudience(version);
}
