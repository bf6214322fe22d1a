import type {
  JsonSchema,
  ManifestClass,
  ManifestEntry,
  ManifestParameter,
  Revival,
  SourceLocation,
} from '@toolwright/manifest';
import type { SchemaDiagnostic } from './diagnostics/diagnostic.js';
import type { OperationKind } from './discover/find-services.js';
import type { CompiledQuestion } from './questions/compile-questions.js';
import type { Declared } from './signature/read-declared.js';
import type { DeclaredPolicy } from './signature/read-policies.js';

/** A decorated method, compiled: what the manifest and `inspect` are written from. */
export interface CompiledOperation {
  key: string;
  classKey: string;
  className: string;
  method: string;
  static: boolean;
  kinds: OperationKind[];
  /** Literal name of the decorator's options. */
  name?: string;
  /** The name the operation is published under: the options', else the method's, else the class's. */
  publishedName: string;
  /** What its operation decorators say, one after the other. */
  declared: Declared[];
  /** What the other decorators of the method say; with its first method, those of the class as well. */
  policies: DeclaredPolicy[];
  title?: string;
  description?: string;
  examples?: string[];
  deprecated?: boolean | string;
  parameters: ManifestParameter[];
  input: JsonSchema;
  /** The author wrote the input himself: published verbatim. */
  exact: boolean;
  output: JsonSchema | null;
  protocolResult?: ManifestEntry['protocolResult'];
  wrap: boolean;
  stream: boolean;
  flatten: boolean;
  revive: { input?: Record<string, Revival>; output?: Revival };
  location: SourceLocation;
  diagnostics: SchemaDiagnostic[];
}

/** What one file gives. */
export interface CompiledFile {
  operations: CompiledOperation[];
  classes: Record<string, ManifestClass>;
  revivals: Record<string, Revival>;
  questions: CompiledQuestion[];
}

/** Everything the compiler knows of a project, before it is written down. */
export interface CompiledProject {
  /** Folder of the tsconfig. */
  root: string;
  operations: CompiledOperation[];
  classes: Record<string, ManifestClass>;
  revivals: Record<string, Revival>;
  questions: CompiledQuestion[];
  /** Files of the project that went in, absolute. */
  files: string[];
}
