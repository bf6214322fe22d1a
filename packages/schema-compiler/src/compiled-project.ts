import type { JsonSchema, Revival } from '@toolwright/json';
import type { ManifestClass, ManifestEntry, ManifestParameter, SourceLocation } from '@toolwright/manifest';
import type { SchemaDiagnostic } from './diagnostics/diagnostic.js';
import type { OperationKind } from './discover/find-services.js';
import type { CompiledQuestion } from './questions/compile-questions.js';
import type { CompiledSchedule } from './schedules/compile-schedules.js';
import type { Declared, DeclaredPolicy } from './signature/read-declared.js';

/** A decorated method after compilation. The manifest and `inspect` are written from this. */
export interface CompiledOperation {
  key: string;
  classKey: string;
  className: string;
  method: string;
  static: boolean;
  kinds: OperationKind[];
  /** `@McpService({ for })`: some callers have it, and others may have a tool of the same name. */
  hasAudience?: boolean;
  /** The name in the decorator's options, if it is a literal. */
  name?: string;
  /**
   * The name that clients see: the name in the options, otherwise that of the method, otherwise that of the
   * class.
   */
  publishedName: string;
  /** What each operation decorator of the method says, in order. */
  declared: Declared[];
  /**
   * What the other decorators of the method say. The first method of a class also carries the decorators of
   * the class.
   */
  policies: DeclaredPolicy[];
  title?: string;
  description?: string;
  examples?: string[];
  deprecated?: boolean | string;
  parameters: ManifestParameter[];
  input: JsonSchema;
  /** The author wrote the input schema by hand, and it is published unchanged. */
  exact: boolean;
  output: JsonSchema | null;
  protocolResult?: ManifestEntry['protocolResult'];
  wrap: boolean;
  stream: boolean;
  flatten: boolean;
  /** The arguments that a Standard Schema decides; `''` for all. */
  standard?: string[];
  revive: { input?: Record<string, Revival>; output?: Revival };
  location: SourceLocation;
  diagnostics: SchemaDiagnostic[];
}

/** The result of compiling one file. */
export interface CompiledFile {
  operations: CompiledOperation[];
  classes: Record<string, ManifestClass>;
  revivals: Record<string, Revival>;
  /** What the references in the conditions of all revivals of the file mean. */
  definitions: Record<string, JsonSchema>;
  questions: CompiledQuestion[];
  schedules: CompiledSchedule[];
  /** The problems of classes, which belong to no operation. */
  diagnostics: SchemaDiagnostic[];
}

/** Everything that the compiler knows about a project, before the manifest is written. */
export interface CompiledProject {
  /** Folder of the tsconfig. */
  root: string;
  operations: CompiledOperation[];
  classes: Record<string, ManifestClass>;
  revivals: Record<string, Revival>;
  questions: CompiledQuestion[];
  schedules: CompiledSchedule[];
  diagnostics: SchemaDiagnostic[];
  /** The project's files that were compiled, as absolute paths. */
  files: string[];
}
