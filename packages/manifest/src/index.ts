export { CLASS_MARK, withoutClassMarks } from './class-mark.js';
export { checksumOf, formatManifest } from './checksum.js';
export { classOperationName } from './class-operation-name.js';
export {
  annotationsOf,
  constrainSchema,
  type Constrained,
  type Passes,
  type PropertyConstraints,
} from './constraints/constrain-schema.js';
export type { Constraint, Fit } from './constraints/constraint.js';
export { constraintRule } from './constraints/constraint-table.js';
export { digestRules, type PropertyRule } from './constraints/digest-rules.js';
export { isUnicodePattern, publishedPattern } from './constraints/text-patterns.js';
export { DefinitionPool } from './definition-pool.js';
export { hashSources } from './hash-sources.js';
export { inlineReferences, INLINE_LIMIT } from './inline-references.js';
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
  type ManifestQuestion,
  type SourceLocation,
} from './manifest.js';
export { isSchema, mapSchema } from './map-schema.js';
export { ManifestError, checkManifest, parseManifest } from './parse-manifest.js';
export { definitionsOf, followReferences, reachedFrom, referenceName, referencesIn } from './references.js';
export {
  mapConditions,
  mapInputAndOutput,
  mapRevivals,
  type ObjectRevival,
  type Revival,
} from './revival.js';
export { schemaOf, sharedDefinitions, withDefinitions } from './schema-of.js';
export { partsOf, traitsOf, type SchemaTraits } from './schema-traits.js';
export { concealSensitive, isSensitive, markSensitive } from './sensitive.js';
export { shapeOf, type MethodShape } from './shape.js';
export { outlineOf, type ClassOutline } from './outline.js';
export { cronReader, type CronClass, type ReadCron, type Ticks } from './schedule/read-cron.js';
export { sortByReferences, type ReferenceGroup } from './sort-by-references.js';
export { classId, toolId, type ToolIdParts } from './tool-id.js';
