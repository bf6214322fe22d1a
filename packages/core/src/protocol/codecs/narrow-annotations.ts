import type { Features } from '../revisions/features.js';
import type { JsonObject } from '../messages/json-rpc.js';

/** Annotations of content and of resources, as far as the revision knows them: `lastModified` came with 2025-06-18. */
export function narrowAnnotations(annotations: JsonObject, { titles }: Features): JsonObject {
  if (titles) return annotations;
  const { lastModified: _lastModified, ...known } = annotations;
  return known;
}
