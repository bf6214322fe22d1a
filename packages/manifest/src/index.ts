export { checksumOf, formatManifest } from './checksum.js';
export { classOperationName } from './class-operation-name.js';
export { hashSources } from './hash-sources.js';
export type { JsonSchema } from './json-schema.js';
export {
  MANIFEST_FILE,
  MANIFEST_FORMAT,
  type ConstructorParameter,
  type ImportedClass,
  type Manifest,
  type ManifestClass,
  type ManifestEntry,
  type ManifestParameter,
  type ManifestPattern,
  type SourceLocation,
} from './manifest.js';
export { ManifestError, checkManifest, parseManifest } from './parse-manifest.js';
export type { Revival } from './revival.js';
export { concealSensitive, isSensitive, markSensitive } from './sensitive.js';
export { shapeOf, type MethodShape } from './shape.js';
export { classId, toolId, type ToolIdParts } from './tool-id.js';
