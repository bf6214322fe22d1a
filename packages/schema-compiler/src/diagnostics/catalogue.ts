/** `error`: the signature cannot be represented, the build fails. `warning`: something was assumed, and what. */
export type Severity = 'error' | 'warning';

export interface CatalogueEntry {
  severity: Severity;
  /** What the code means, in one sentence. */
  summary: string;
  /** What to write instead. */
  fix: string;
}

/** Every code the schema compiler reports. docs/errors.md lists the same. */
export const schemaErrorCatalogue = {
  TW_SCHEMA_PROJECT: {
    severity: 'error',
    summary: 'The tsconfig cannot be read.',
    fix: 'Pass an existing tsconfig with --project; it must name at least one source file.',
  },
  TW_SCHEMA_FUNCTION: {
    severity: 'error',
    summary: 'A function stands where data must be: JSON cannot carry it.',
    fix: 'Pass the data the function would compute, or the name of one of several known behaviours.',
  },
  TW_SCHEMA_SYMBOL: {
    severity: 'error',
    summary: 'A symbol stands where data must be: JSON cannot carry it.',
    fix: 'Use a string, or a union of string literals.',
  },
  TW_SCHEMA_NEVER: {
    severity: 'error',
    summary: 'A parameter of type never can take no value.',
    fix: 'Correct the type; often a conditional type or an intersection has become empty.',
  },
  TW_SCHEMA_UNSUPPORTED_TYPE: {
    severity: 'error',
    summary: 'The type has no JSON form.',
    fix: 'Declare a plain interface or class with the data that travels, and convert in the method.',
  },
  TW_SCHEMA_LIVE_OBJECT: {
    severity: 'error',
    summary:
      'An object of the running process stands where data must be: a stream, a request, a database client.',
    fix: 'Take the values that the method reads from it as parameters; take a client or a service in the constructor, or with @Inject before the parameter.',
  },
  TW_SCHEMA_UNRESOLVED_TYPE: {
    severity: 'error',
    summary: 'TypeScript cannot resolve the type, so its schema is unknown.',
    fix: 'Check the import and the spelling; `tsc` reports the same place.',
  },
  TW_SCHEMA_TOO_DEEP: {
    severity: 'error',
    summary: 'The type grows without end while it is expanded.',
    fix: 'Recursion must come back to the same type: drop the type argument that grows.',
  },
  TW_SCHEMA_DESTRUCTURED: {
    severity: 'error',
    summary: 'Only the first parameter may be destructured, and only as an object: any other has no name.',
    fix: 'Name the parameter and destructure it in the method body.',
  },
  TW_SCHEMA_NAME_CLASH: {
    severity: 'error',
    summary: 'Two parameters, or a parameter and a property of the destructured first one, share a name.',
    fix: 'Rename one of them.',
  },
  TW_SCHEMA_INJECT: {
    severity: 'error',
    summary: 'A parameter with @Inject cannot be injected.',
    fix: 'Give @Inject a parameter of its own that takes one value, without decorators for arguments.',
  },
  TW_SCHEMA_UNTYPED: {
    severity: 'warning',
    summary: 'The type is any or unknown: the schema accepts everything.',
    fix: 'Write the type, or say what is accepted with @Schema({ … }).',
  },
  TW_SCHEMA_TYPE_PARAMETER: {
    severity: 'warning',
    summary:
      'A type parameter is decided by the caller, whom the compiler cannot see: its constraint was used.',
    fix: 'Use the concrete type, or give the type parameter the constraint you mean.',
  },
  TW_SCHEMA_UNSEEN_CLASS: {
    severity: 'warning',
    summary:
      'A declaration file has no decorators: what class-validator asks of the class is checked, but not published.',
    fix: 'Take an interface with doc tags, or a class of this package.',
  },
  TW_SCHEMA_UNPUBLISHED: {
    severity: 'warning',
    summary:
      'class-validator checks what no client reads of: calls that fit the published schema may be refused.',
    fix: 'Say it with @Schema({ … }) on the property or in your decorator, or in its description.',
  },
  TW_SCHEMA_TRANSFORM: {
    severity: 'warning',
    summary: 'Nobody can see which JSON values a @Transform takes: the declared type is published.',
    fix: 'Write @Schema({ … }) beside @Transform: the form that the value has in JSON.',
  },
  TW_SCHEMA_NESTED: {
    severity: 'warning',
    summary:
      'class-validator looks into instances of classes alone, and @ValidateNested() refuses all others.',
    fix: 'Declare a class for the values, or leave @ValidateNested() out.',
  },
  TW_SCHEMA_HIDDEN_CLASS: {
    severity: 'error',
    summary: 'The server cannot reach a class that validates arguments, so that no call could be checked.',
    fix: 'Export the class, or write @Type(() => TheClass) on the property that holds it.',
  },
  TW_SCHEMA_OVERLOADS: {
    severity: 'warning',
    summary: 'The method is overloaded: the implementation signature was used.',
    fix: 'Make one signature with a union or optional parameters, or one tool per overload.',
  },
  TW_SCHEMA_UNKNOWN_TAG: {
    severity: 'warning',
    summary: 'A doc tag is unknown but close to one that constrains the schema.',
    fix: 'Correct the spelling.',
  },
  TW_SCHEMA_TAG_VALUE: {
    severity: 'warning',
    summary: 'The value of a doc tag does not fit it and was left out.',
    fix: 'Numbers for limits and lengths, a valid regular expression for @pattern, JSON for lists.',
  },
  TW_SCHEMA_TAG_TYPE: {
    severity: 'warning',
    summary:
      'A doc tag constrains values of another type than the one it stands at, so it constrains nothing.',
    fix: 'Texts have lengths and patterns, numbers limits, lists counts of items: use the tags of the type.',
  },
  TW_SCHEMA_FORMAT: {
    severity: 'warning',
    summary: 'A @format is unknown, or of another type than the one it stands at: it checks nothing.',
    fix: 'Use a format of JSON Schema (date-time, date, time, email, uri, uuid, hostname, ipv4, …) on a string, or @pattern.',
  },
  TW_SCHEMA_DEFAULT: {
    severity: 'warning',
    summary:
      'A default is not a value of its own type, or lies outside of its bounds, or is not the one of the code; it is not published.',
    fix: 'Correct the default, or the type and the tags that it has to fit.',
  },
  TW_SCHEMA_BOUNDS: {
    severity: 'warning',
    summary: 'A lower bound lies above the upper one, so that no value fits.',
    fix: 'Swap or correct the two bounds.',
  },
  TW_SCHEMA_DECORATOR_TYPE: {
    severity: 'warning',
    summary: 'A decorator of class-validator refuses every value of the declared type.',
    fix: 'Change the type or the decorator, so that both say the same.',
  },
  TW_SCHEMA_TAG_CONFLICT: {
    severity: 'warning',
    summary: 'A doc tag and a decorator say different things; both are checked.',
    fix: 'Drop the tag: the decorator is published.',
  },
  TW_SCHEMA_PROTO: {
    severity: 'error',
    summary: 'A parameter or a property is called __proto__: no argument of that name is ever accepted.',
    fix: 'Rename it.',
  },
  TW_SCHEMA_UNKNOWN_PARAM: {
    severity: 'warning',
    summary: 'A @param names no parameter of the method, so no client is told what it says.',
    fix: 'Correct the name, or drop the tag; a property of a parameter is `@param parameter.property`.',
  },
  TW_SCHEMA_PATTERN: {
    severity: 'error',
    summary: 'A pattern is not a regular expression with the u flag, which JSON Schema requires.',
    fix: 'Escape what must be literal and leave everything else unescaped: `\\-` outside a class and `\\_` are refused.',
  },
  TW_SCHEMA_CONFLICT: {
    severity: 'warning',
    summary: '@Schema contradicts the type; @Schema was taken.',
    fix: 'Change the type or the @Schema, so that both say the same.',
  },
  TW_SCHEMA_NOT_CONSTANT: {
    severity: 'error',
    summary: '@Schema takes a constant: the compiler does not run code.',
    fix: 'Write an object literal, or a const whose value is one.',
  },
  TW_SCHEMA_HEADER: {
    severity: 'error',
    summary: 'An x-mcp-header breaks its rules; clients drop such tools.',
    fix: 'A unique RFC 9110 token, on a string, integer or boolean property, reached through properties alone.',
  },
  TW_SCHEMA_QUESTION: {
    severity: 'error',
    summary: 'The compiler cannot tell what a question of `ctx.elicit` or `ctx.sample` asks for.',
    fix: 'Write ctx.elicit<Guests>(…) with a concrete type and a constant key of its own, or give the request a schema.',
  },
  TW_SCHEMA_FORM: {
    severity: 'error',
    summary: 'A type has what a form of elicitation cannot ask for.',
    fix: 'A form is a flat object of strings, numbers, booleans, choices of strings and lists of such choices.',
  },
  TW_SCHEMA_TOO_LARGE: {
    severity: 'warning',
    summary: 'The schemas of one tool are large: every client pays for them in every conversation.',
    fix: 'Return less, or split the tool.',
  },
  TW_SCHEMA_OVER_BUDGET: {
    severity: 'error',
    summary: 'The schemas of one tool are larger than clients and models can be expected to take.',
    fix: 'Take a smaller type (Pick, Omit, one of your own), or allow it: @McpTool({ maxSchemaBytes: … }).',
  },
  TW_SCHEMA_DUPLICATE_NAME: {
    severity: 'warning',
    summary: 'Tools of two classes have the same name: a server that has both does not start.',
    fix: 'Give one of them another name: @McpTool({ name: … }).',
  },
  TW_SCHEMA_INTERNAL: {
    severity: 'error',
    summary: 'The compiler failed on this signature.',
    fix: 'Please report the signature; meanwhile describe it with @Schema({ … }, { exact: true }).',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type SchemaErrorCode = keyof typeof schemaErrorCatalogue;
