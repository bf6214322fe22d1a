export type { BuildStep, BuiltProject } from './build-step.js';
export { CLASS_MARK, withoutClassMarks } from './class-mark.js';
export { checksumOf, formatManifest } from './checksum.js';
export { classOperationName } from './class-operation-name.js';
export { hashSources } from './hash-sources.js';
export {
  MANIFEST_FILE,
  MANIFEST_FORMAT,
  MANIFEST_PROVIDER,
  type ConstructorParameter,
  type ImportedClass,
  type Manifest,
  type ManifestClass,
  type ManifestEntry,
  type ManifestParameter,
  type ManifestPattern,
  type ManifestQuestion,
  type SourceLocation,
} from './manifest.js';
export { ManifestError, checkManifest, parseManifest } from './parse-manifest.js';
export { shapeOf, type MethodShape } from './shape.js';
export { outlineOf, type ClassOutline } from './outline.js';
export { cronReader, type CronClass, type ReadCron, type Ticks } from './schedule/read-cron.js';
export { classId, toolId, type ToolIdParts } from './tool-id.js';
export type { JsonSchema, ObjectRevival, Revival } from '@toolwright/json';
