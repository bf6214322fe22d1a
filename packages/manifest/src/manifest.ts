import type { JsonSchema } from './json-schema.js';
import type { Revival } from './revival.js';

/** Raised on every incompatible change of the format; the parser refuses any other. */
export const MANIFEST_FORMAT = 2;

/** The file that `toolwright build` writes by default, beside a package's `package.json`. */
export const MANIFEST_FILE = 'mcp.manifest.json';

/** What the compiler learnt of one package. Plain JSON: production reads this and never the compiler. */
export interface Manifest {
  format: typeof MANIFEST_FORMAT;
  /** Version of `@toolwright/schema-compiler` that wrote it. */
  compiler: string;
  /** Name of the package it describes, from its `package.json`. */
  package: string;
  /** `hashSources` over every source file that went in. Development refuses or recompiles when it no longer matches. */
  sourceHash: string;
  /** Those source files, relative to the manifest, with forward slashes. */
  sources?: string[];
  /** Deduplicated schemas by id; entries refer to them. `schemaOf` gives one that stands for itself. */
  schemas: Record<string, JsonSchema>;
  /**
   * What `{ $ref: '#/$defs/<name>' }` means in `schemas`, in `revivals` and in here: the types of all entries, each once.
   * Names are made of letters, digits, `_`, `.` and `-`. Beside a reference stands what is said of the one place:
   * `description`, `default`, limits. No schema of `schemas` is a reference itself.
   */
  $defs?: Record<string, JsonSchema>;
  /** Recursive and large revivals by name; see `Revival` of kind `ref`. */
  revivals?: Record<string, Revival>;
  /** Service and DTO classes by class key: `<source path>#<Qualified.Class>`. */
  classes: Record<string, ManifestClass>;
  /** What `ctx.elicit<T>` and `ctx.sample<T>` ask for, by the keys of the questions. */
  questions?: Record<string, ManifestQuestion>;
  /** One entry per decorated method and concrete class. */
  entries: ManifestEntry[];
  /** `checksumOf` everything else; every file has it, a manifest that was just compiled does not. */
  checksum?: string;
}

/** A class that carries tools, or a DTO that arguments are revived into. */
export interface ManifestClass {
  /** Qualified by its namespaces: `Outer.Inner`. */
  name: string;
  /** `@McpService({ id })`, where it is literal: binds the class even after bundling and minification. */
  id?: string;
  location: SourceLocation;
  /** Where the compiled class can be imported from: path relative to the manifest, and the export's name. */
  module?: { path: string; export: string };
  /** Constructor parameters in order; absent where there is no constructor to resolve. */
  constructor?: ConstructorParameter[];
  /** How another package's class is imported, where it is not a class of this manifest's own. */
  imported?: ImportedClass;
  /** For DTOs: what is left to do at run time after Ajv has accepted the value; nested DTOs have their own. */
  validation?: 'skip' | 'residual' | 'full';
  /** For DTOs: the source could not tell every constraint; merge class-validator's run-time metadata at boot. */
  mergeRuntime?: boolean;
  /** For DTOs: regular expressions that texts are matched against and that no schema shows, such as those with flags. */
  patterns?: ManifestPattern[];
}

/** A question whose answer has a type; its key is the package's alone. */
export interface ManifestQuestion {
  kind: 'elicit' | 'sample';
  /** Schema id of the form, or of what a model answers with. */
  schema: string;
  /** The answer is no object: it is asked for as `{ value: … }`. */
  wrap?: boolean;
  /** What becomes of the answer's JSON. */
  revive?: Revival;
  /** Of a call that asks it. */
  location: SourceLocation;
}

/** An export of a module outside of the package that the manifest describes. */
export interface ImportedClass {
  specifier: string;
  export: string;
  /** The source says `import type`: the module is not loaded for it. */
  typeOnly?: boolean;
}

export interface ManifestPattern {
  source: string;
  flags: string;
  /** Of the decorator. */
  location: SourceLocation;
}

export interface ConstructorParameter {
  name: string;
  /** Name of the declared type, for messages. */
  type: string;
  /** Class key, when the type is a class of this or another manifest. */
  class?: string;
  /** Export of a module outside this package that is the type, when it is an imported class. */
  imported?: ImportedClass;
  optional?: boolean;
}

/** A decorated method: everything that binding and calling it needs. */
export interface ManifestEntry {
  /** `<source path>#<Qualified.Class>.<method>`; `::` before a static method. Unique in its manifest. */
  key: string;
  /** Key of the concrete class, in `Manifest.classes`. */
  class: string;
  method: string;
  static?: boolean;
  /** Which of our decorators the method carries. */
  kinds: ('tool' | 'prompt' | 'resource' | 'resourceTemplate' | 'completion')[];
  /** From the decorator's options where they are literal. */
  name?: string;
  title?: string;
  /** The doc comment's text, tags removed. */
  description?: string;
  /** `@example` lines of the doc comment. */
  examples?: string[];
  deprecated?: boolean | string;
  parameters: ManifestParameter[];
  /** Schema id of the arguments object (natural 2020-12 form, before any client-safe profile). */
  input: string;
  /** Schema id of the awaited result, or null when the method returns nothing. */
  output: string | null;
  /**
   * The method returns the protocol's own result (`CallToolResult`, `GetPromptResult`, `ReadResourceResult`), and
   * nothing else: it goes out as it is. `output` is null then.
   */
  protocolResult?: 'tool' | 'prompt' | 'resource';
  /** The output is not an object: revisions before 2026-07-28 get it as `{ result: … }`. */
  wrap: boolean;
  /** The method returns an AsyncIterable; `output` describes the array of everything it yields. */
  stream: boolean;
  /** One object parameter is the whole input. */
  flatten: boolean;
  /** By parameter name (or for the whole input when flattened, under ``''``). */
  revive: { input?: Record<string, Revival>; output?: Revival };
  location: SourceLocation;
  /** `shapeOf` the class's qualified name and all its decorated methods: detects a manifest older than the code. */
  shape: string;
}

export interface ManifestParameter {
  /** The property of the arguments object; for a destructured or flattened parameter the position's name. */
  name: string;
  /**
   * `argument`: one property of the input; `input`: the whole input object; `rest`: an array property spread over
   * the remaining positions; `inject`: supplied by the framework or the container, never in the schema.
   */
  kind: 'argument' | 'input' | 'rest' | 'inject';
  /** For `inject`: what to supply; `provider`: what the container provides for `@Inject`, or for the type. */
  inject?: 'ToolContext' | 'AbortSignal' | 'provider';
  /** For `provider`: the declared type, for messages. */
  type?: string;
  /** For `provider`: class key, when the type is a class of this or another manifest. */
  class?: string;
  /** For `provider`: export of a module outside this package that is the type, when it is an imported class. */
  imported?: ImportedClass;
  optional?: boolean;
  description?: string;
}

/** 1-based, as editors show it; `file` relative to the package, with forward slashes. */
export interface SourceLocation {
  file: string;
  line: number;
  column: number;
}
