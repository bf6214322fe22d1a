import type { JsonSchema, Revival } from '@toolwright/json';

/** Increased with every incompatible change of the format. The parser refuses every other version. */
export const MANIFEST_FORMAT = 2;

/** The file that `toolwright build` writes by default, beside the `package.json` of a package. */
export const MANIFEST_FILE = 'mcp.manifest.json';

/**
 * The property of `globalThis` in which a module that was loaded with `node --import` leaves its
 * `ManifestProvider`. Such a module runs before the application and shares nothing else with it.
 */
export const MANIFEST_PROVIDER = Symbol.for('toolwright.manifestProvider');

/**
 * What the compiler found out about one package. It is plain JSON. Production reads it, and never loads the
 * compiler.
 */
export interface Manifest {
  format: typeof MANIFEST_FORMAT;
  /** The version of `@toolwright/schema-compiler` that wrote it. */
  compiler: string;
  /** The name of the package, from its `package.json`. */
  package: string;
  /**
   * `hashSources` over every source file that was compiled. In development, a different hash means an error
   * or a new compilation.
   */
  sourceHash: string;
  /** The source files, relative to the manifest, with forward slashes. */
  sources?: string[];
  /** The schemas by id, equal ones once. Entries refer to them. `schemaOf` returns a complete one. */
  schemas: Record<string, JsonSchema>;
  /**
   * What `{ $ref: '#/$defs/<name>' }` means in `schemas`, in `revivals` and in `$defs` itself: the types of all
   * entries, each once. Names consist of letters, digits, `_`, `.` and `-`. Keywords that apply to one place are
   * beside the reference: `description`, `default`, limits. No schema in `schemas` is only a reference.
   */
  $defs?: Record<string, JsonSchema>;
  /** Recursive and large revivals by name; see `Revival` of kind `ref`. */
  revivals?: Record<string, Revival>;
  /** Service and DTO classes by class key: `<source path>#<Qualified.Class>`. */
  classes: Record<string, ManifestClass>;
  /** The questions of `ctx.elicit<T>` and `ctx.sample<T>`, by their keys. */
  questions?: Record<string, ManifestQuestion>;
  /** One entry per decorated method and concrete class. */
  entries: ManifestEntry[];
  /** What the build steps of other packages have found out, by the name of the package. It is plain JSON. */
  extensions?: Record<string, unknown>;
  /** `checksumOf` everything else. Every file has one; a manifest that was just compiled has none. */
  checksum?: string;
}

/**
 * A class of the project: a service, a DTO that is created from arguments, or any other class, because the
 * container may build it or one of its derived classes.
 */
export interface ManifestClass {
  /** With the names of its namespaces: `Outer.Inner`. */
  name: string;
  /**
   * `@McpService({ id })` or `@Injectable({ id })`, if it is a literal. It identifies the class even after
   * bundling and minification.
   */
  id?: string;
  /**
   * `outlineOf` the class: what the running class shows without its name. Missing for classes that only
   * declaration files describe, and in manifests of older compilers.
   */
  outline?: string;
  /**
   * The fields that the code of a class without methods sets. Such classes have the same outline, and the text of
   * the running class still has the names of its fields.
   */
  fields?: string[];
  /** Nothing can be built of it. Messages say so to who lists it as a service. */
  abstract?: true;
  /** The class key of the base class, if it belongs to the same project. */
  base?: string;
  /** The class keys that must be there when the ES module of the class is evaluated, such as those of decorated properties. */
  loads?: string[];
  location: SourceLocation;
  /** Where to import the compiled class from: the path relative to the manifest, and the name of the export. */
  module?: { path: string; export: string };
  /** The constructor parameters in order; missing if the container has nothing to fill in. */
  constructor?: ConstructorParameter[];
  /** The parameters of a method `complete`, for classes that are completion providers. */
  complete?: ConstructorParameter[];
  /** How to import the class, if it belongs to another package. */
  imported?: ImportedClass;
  /**
   * For DTOs: what is left to check at run time after the schema has accepted the value. Nested DTOs have their own
   * value.
   */
  validation?: 'skip' | 'residual' | 'full';
  /**
   * For DTOs: the source did not show all constraints. The boot must add the constraints of class-validator's
   * metadata.
   */
  mergeRuntime?: boolean;
  /**
   * For DTOs with `validation: 'skip'`: `digestRules` of the decorators in the source; missing without decorators. If
   * class-validator knows other rules at run time, it checks every value.
   */
  rules?: string;
  /**
   * For DTOs: regular expressions that class-validator uses and that no schema contains, such as those with
   * flags.
   */
  patterns?: ManifestPattern[];
}

/** A question whose answer has a type. Its key is unique in the package. */
export interface ManifestQuestion {
  kind: 'elicit' | 'sample';
  /** The schema id of the form, or of a model's answer. */
  schema: string;
  /** The answer is not an object, so the model is asked for `{ value: … }`. */
  wrap?: boolean;
  /** How the JSON of the answer is converted. */
  revive?: Revival;
  /** The place of a call that asks it. */
  location: SourceLocation;
}

/** An export of a module outside the package of the manifest. */
export interface ImportedClass {
  specifier: string;
  export: string;
  /** The source says `import type`, so the server does not load the module for this class. */
  typeOnly?: boolean;
}

export interface ManifestPattern {
  source: string;
  flags: string;
  /** The place of the decorator. */
  location: SourceLocation;
}

export interface ConstructorParameter {
  name: string;
  /** The name of the declared type, for messages. */
  type: string;
  /** The class key, if the type is a class of this or another manifest. */
  class?: string;
  /** The imported class, if the type is a class of a module outside this package. */
  imported?: ImportedClass;
  optional?: boolean;
}

/** A decorated method, with everything that is needed to bind and call it. */
export interface ManifestEntry {
  /** `<source path>#<Qualified.Class>.<method>`; `::` before a static method. Unique in its manifest. */
  key: string;
  /** The key of the concrete class in `Manifest.classes`. */
  class: string;
  method: string;
  static?: boolean;
  /** The kinds of our decorators on the method. */
  kinds: ('tool' | 'prompt' | 'resource' | 'resourceTemplate' | 'completion')[];
  /** From the decorator's options, if they are literal. */
  name?: string;
  title?: string;
  /** The text of the doc comment, without tags. */
  description?: string;
  /** The `@example` lines of the doc comment. */
  examples?: string[];
  deprecated?: boolean | string;
  parameters: ManifestParameter[];
  /** The schema id of the arguments object (the exact 2020-12 form, before any client-safe profile). */
  input: string;
  /** The schema id of the awaited result; null if the method returns nothing. */
  output: string | null;
  /**
   * The method returns the protocol's own result (`CallToolResult`, `GetPromptResult`, `ReadResourceResult`)
   * and nothing else, so it is sent unchanged. `output` is then null.
   */
  protocolResult?: 'tool' | 'prompt' | 'resource';
  /**
   * The arguments that a schema of Zod, Valibot, ArkType or the like decides, by name; `''` for all arguments.
   * The compiler runs no code, so `input` only says what TypeScript knows about them. The server replaces this
   * when it starts.
   */
  standard?: string[];
  /** The output is not an object. Revisions before 2026-07-28 get it as `{ result: … }`. */
  wrap: boolean;
  /** The method returns an AsyncIterable. `output` describes the array of all its items. */
  stream: boolean;
  /** One object parameter is the whole input. */
  flatten: boolean;
  /** By parameter name. If the input is flattened, the key is ``''``. */
  revive: { input?: Record<string, Revival>; output?: Revival };
  location: SourceLocation;
  /**
   * `shapeOf` the class's qualified name and all its decorated methods. It shows that a manifest is older
   * than the code.
   */
  shape: string;
}

export interface ManifestParameter {
  /**
   * The name of the property in the arguments object. For a destructured or flattened parameter, a name made
   * from its position.
   */
  name: string;
  /**
   * `argument`: one property of the input. `input`: the whole input object. `rest`: an array whose items fill
   * the remaining positions. `inject`: the framework or the container supplies it, and it is in no schema.
   */
  kind: 'argument' | 'input' | 'rest' | 'inject';
  /**
   * For `inject`: what to supply. `provider`: the container supplies the value, for `@Inject` or for the
   * type.
   */
  inject?: 'ToolContext' | 'AbortSignal' | 'provider';
  /** For `provider`: the declared type, for messages. */
  type?: string;
  /** For `provider`: the class key, if the type is a class of this or another manifest. */
  class?: string;
  /** For `provider`: the imported class, if the type is a class of a module outside this package. */
  imported?: ImportedClass;
  optional?: boolean;
  description?: string;
  /**
   * The method applies its own default, which the schema does not have. For `argument`, the server leaves a missing
   * value out; for `input`, it passes nothing if a call has no arguments.
   */
  ownDefault?: boolean;
  /** For `input`: the properties with a default that the code applies. The server does not fill them in. */
  ownDefaults?: string[];
}

/** `line` and `column` count from 1, as in editors. `file` is relative to the package, with forward slashes. */
export interface SourceLocation {
  file: string;
  line: number;
  column: number;
}
