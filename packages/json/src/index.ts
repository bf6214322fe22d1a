export { inAuthorWords } from './classes/author-messages.js';
export { UnrevivableError } from './classes/build-instance.js';
export type { Constructor, DtoClass, TypeTable } from './classes/class-types.js';
export {
  digestOfClass,
  patternsOfClass,
  PendingChecks,
  validatedClasses,
  validateInstances,
} from './classes/class-validator.js';
export { mergeClass } from './classes/merge-class.js';
export { notePropertySchema, noteSensitive } from './classes/property-marks.js';
export { type Reviver, compileRevival } from './classes/revive.js';
export { canonicalUri, MAX_URI, UriTemplate, type Variables } from './addresses/uri-template.js';
export {
  inBrackets,
  isLoopback,
  isLoopbackAddress,
  isLoopbackHost,
  isSecureUrl,
  LOOPBACK_HOSTS,
  networkOf,
  readAddress,
} from './addresses/addresses.js';
export { isCspSource } from './addresses/csp-source.js';
export {
  issuerMetadataUrls,
  RESOURCE_METADATA_PATH,
  resourceMetadataUrl,
} from './addresses/metadata-urls.js';
export { hasCredentials, isWebUrl, readUrl } from './addresses/read-url.js';
export { decodeUri } from './addresses/uri-text.js';
export { camelCase, DeclaredTypes, pascalCase, UniqueNames } from './declarations/declared-types.js';
export { docComment, isIdentifier, propertyName } from './declarations/type-writer.js';
export type { CommandOption, CommandValues, PackageCommand, TableCell } from './base/package-command.js';
export type {
  ApiKey,
  ChatAnswerState,
  ChatCallState,
  ChatTokens,
  ChatTurnState,
  ObservedStep,
  RecordedRequest,
  ScheduleState,
  SignInDiagnosis,
  SkillState,
  UserGrant,
} from './base/shown-records.js';
export type {
  AnswerProblem,
  CaseReport,
  EvaluationReport,
  ModelCall,
  ModelUsage,
  ToolReport,
} from './base/evaluation-report.js';
export type {
  Difference,
  HeldChange,
  HeldText,
  LeftOut,
  ListKind,
  MountStatus,
  Poison,
} from './base/shown-mounts.js';
export {
  DEFAULT_LOGGER,
  FAILURE_OBSERVER,
  FOLDER_OBSERVER,
  ONLY_INSPECTED,
  PAGE_OBSERVER,
  SERVER_OBSERVER,
} from './base/ambient.js';
export {
  RECORDING_FORMAT,
  type RecordedLine,
  type RecordedPrincipal,
  type RecordingHeader,
  RecordingLines,
  type SeenMessage,
} from './base/recording.js';
export { holdGroup } from './base/held-groups.js';
export { isFor, isYes } from './base/is-for.js';
export { after, afterwards, isPromise, Listeners, type MaybePromise } from './base/maybe-promise.js';
export { growingPause } from './base/growing-pause.js';
export { endsWithin, orAborted } from './base/promises.js';
export { digest, Seal } from './values/seal.js';
export { endGroup } from './processes/end-group.js';
export {
  countLostLine,
  isRunning,
  lostWrites,
  onStopSignals,
  type Stop,
  stopOnSignals,
  systemUser,
  writeOut,
} from './processes/process.js';
export { isVisibleTo } from './base/visible-to.js';
export { makeFolder } from './files/make-folder.js';
export { readText } from './files/read-text.js';
export { ImportFolder, type ImportRecord } from './imports/import-folder.js';
export { importLine } from './imports/import-line.js';
export {
  compareImport,
  importCheckCodes,
  importCodes,
  type Landing,
  type LandingConsole,
  landImport,
  refusesForeign,
} from './imports/land-import.js';
export { ImportOptionError, requirePlaces } from './imports/require-places.js';
export { comment, literalText, safeText, WRITTEN_WIDTH } from './imports/written-comments.js';
export {
  camelName,
  kebabName,
  LONGEST_NAME,
  NameSet,
  pascalName,
  plural,
  prefixRule,
  singular,
} from './imports/written-names.js';
export { annotationsOf, constrainSchema, type Passes } from './constraints/constrain-schema.js';
export { digitsInPlace, readDigits } from './constraints/digits-in-place.js';
export { DIGITS, isDigitPattern, withAllBoundDigits, withBoundDigits } from './constraints/digit-range.js';
export { constraintRule } from './constraints/constraint-table.js';
export { type Constraint, digestRules, type PropertyRule } from './constraints/constraint.js';
export { isUnicodePattern, publishedPattern } from './constraints/text-patterns.js';
export { getOrMake, groupBy, lazily, oncePer, oncePerSchema, sealingSecrets } from './schema/once.js';
export {
  costOfPattern,
  findFlaggedProblems,
  findPatternProblems,
  type FlaggedPattern,
  PATTERN_FIX,
  weightOfPatterns,
} from './patterns/cost-of-pattern.js';
export { StepBudget } from './patterns/step-budget.js';
export { toClientSafe } from './schema/client-safe-profile.js';
export { definitionWithoutLongIntegers, withoutLongIntegers } from './schema/exact-schema.js';
export { DefinitionPool } from './schema/definition-pool.js';
export { type LostKeyword, lostKeywords } from './schema/lost-keywords.js';
export { INLINE_LIMIT, inlineReferences } from './schema/inline-references.js';
export {
  type AnySchema,
  distinct,
  HOLDERS,
  INSIDE,
  isSchema,
  type JsonSchema,
  mapSchema,
} from './schema/json-schema.js';
export {
  LIMITS,
  PLACE_NOTES,
  isSensitive,
  partsOf,
  traitsOf,
  values as DATA_KEYWORDS,
  visitKeywords,
} from './schema/keywords.js';
export { concealSensitive, markSensitive } from './schema/mark-sensitive.js';
export {
  definitionsOf,
  followReferences,
  reachedFrom,
  type ReferenceGroup,
  referenceName,
  referredSchema,
  referencesIn,
  schemaOf,
  sortByReferences,
  withDefinitions,
} from './schema/references.js';
export {
  HIDDEN,
  hideUndeclared,
  leavesOf,
  type SensitiveParts,
  sensitiveParts,
  undeclaredSecretsOf,
} from './schema/sensitive-parts.js';
export { findSchemaProblems } from './schema/schema-problems.js';
export { shortForm, type Unpublished, unpublishedIn } from './constraints/short-form.js';
export {
  embedSchema,
  isStandardSchema,
  type StandardConverter,
  type StandardIssue,
  standardJson,
  standardProblems,
  type StandardResult,
  type StandardSchema,
  thrownProblem,
} from './validation/standard-schema.js';
export { findInexactProblems } from './validation/inexact-arguments.js';
export { type InexactNumber, inexactNumbers, isExact } from './numbers/inexact-numbers.js';
export {
  LongInteger,
  hasLongDigits,
  holdsInteger,
  isBeyondSafe,
  quoteLongIntegers,
  readJson,
} from './numbers/read-json.js';
export { repeatedArguments, repeatedTexts } from './schema/repeated-arguments.js';
export { toLatestDialect } from './schema/to-latest-dialect.js';
export { withoutNullKeywords } from './schema/without-null-keywords.js';
export { InvalidOutputError } from './serialiser/exact-writer.js';
export { numbersInPlace } from './serialiser/long-integers.js';
export type { OutputWriter, Undeclared, Written } from './serialiser/output-node.js';
export { outputWriter } from './serialiser/output-writer.js';
export { type Cleaner, cleanText, cleanTextOrJson, cleanValue, countDoubtful } from './text/clean-text.js';
export { keyRemover, type KeyRemover } from './validation/without-key.js';
export { count } from './text/count.js';
export { quoteForm, showForm } from './schema/forms-for-people.js';
export { wordsOf } from './text/words-of.js';
export { showValues, showWords } from './text/words-for-people.js';
export { cutLine, cutText } from './text/cut-text.js';
export { cutSentences, plainText } from './text/plain-text.js';
export { hasDoubledNames } from './text/doubled-names.js';
export { endOfString } from './text/json-strings.js';
export { ObjectForms } from './text/object-forms.js';
export { readOtherScheme, withoutQuoted } from './text/challenges.js';
export { escapePattern } from './text/escape-pattern.js';
export { isHttpToken } from './text/http-token.js';
export { mediaTypeIn } from './text/media-type.js';
export { findHiddenText, type HiddenCharacter } from './text/find-hidden-text.js';
export {
  hiddenCharacters,
  isBlank,
  replaceHidden,
  replaceUnshown,
  showHidden,
  showHiddenInJson,
  showHiddenInLine,
  visible,
  wordsInTags,
  writeHidden,
  writeHiddenInJson,
} from './text/hidden-characters.js';
export { unmarkedSecrets } from './schema/unmarked-secrets.js';
export { type JUnitCase, junitReport } from './text/junit-report.js';
export { isSecretText, looksSecret } from './text/looks-secret.js';
export { contrastOf, ENOUGH_CONTRAST } from './pages/colors.js';
export {
  type Brand,
  escapeHtml,
  hashSource,
  isLogo,
  type PageContent,
  PageShell,
  problemOfColor,
} from './pages/page-shell.js';
export { drainAfter, readBody } from './pages/read-body.js';
export { didYouMean, editDistance, nearestNames } from './text/nearest-names.js';
export { isSameSecret } from './text/is-same-secret.js';
export { codeOf, isError, reasonOf } from './text/reason-of.js';
export { oneLine } from './text/one-line.js';
export {
  bytesOfTokens,
  type CountTokens,
  partsOfTool,
  tokensOf,
  tokensOfBytes,
  tokensOfTool,
  type ToolInList,
} from './text/tokens.js';
export { ESCAPED_HALF, isWellFormed, wellFormed, wellFormedJson } from './text/well-formed.js';
export { explainValue, type ValueProblem } from './validation/explain-value.js';
export { hideIn, hideInAnswer, scrub, scrubbable } from './validation/hidden-problems.js';
export { coerceStrings, describeProblems, isShallow, type Problem } from './validation/problem.js';
export { accepts, type Validator, validatorFor } from './validation/validator.js';
export { transformerRecords } from './values/class-transformer.js';
export {
  type Default,
  listsIn,
  planFromText,
  planKnownFromText,
  addDefaults,
  defaultsIn,
} from './validation/from-text.js';
export {
  canonicalJson,
  copyData,
  isObject,
  isPlainObject,
  isScalar,
  jsonTypeOf,
  schemaTypeOf,
  keepNewest,
  memberAt,
  pointerToken,
  pointerTokens,
  numberText,
  present,
  quoted,
  setOwn,
} from './base/json-values.js';
export {
  itemRevival,
  mapConditions,
  mapInputAndOutput,
  mapRevivals,
  type ObjectRevival,
  partsOfRevival,
  type Revival,
} from './values/revival.js';
export { fromKept, keptText, toKept } from './values/kept-value.js';
export { toJson } from './values/to-json.js';
export { exactNumberText, valueText } from './numbers/exact-number-text.js';
export { asJson, writeJson } from './serialiser/json-text.js';
export { readBase64 } from './values/read-base64.js';
export { OrderedEvents, type EventRoute } from './stores/ordered-events.js';
export type { OutgoingEvent } from './stores/event-outbox.js';
export { RenewedLeases, type LeaseHolding } from './stores/renewed-leases.js';
export { SeenLimits } from './stores/seen-limits.js';
