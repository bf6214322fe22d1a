/**
 * `error`: a schema cannot describe the signature, and the build fails. `warning`: the compiler assumed
 * something, and says what.
 */
export type Severity = 'error' | 'warning';

export interface DiagnosticEntry {
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
  TW_SCHEMA_PLACE: {
    severity: 'error',
    summary: 'A decorator of an operation is at a place where it cannot make one.',
    fix: 'Put it before a public method with a body, or on a class with a public method `invoke`.',
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
    summary: 'No value fits a parameter of the type never.',
    fix: 'Correct the type. Often a conditional type or an intersection has become empty.',
  },
  TW_SCHEMA_UNSUPPORTED_TYPE: {
    severity: 'error',
    summary: 'The type has no JSON form.',
    fix: 'Declare a plain interface or class with the data that travels, and convert in the method.',
  },
  TW_SCHEMA_LIVE_OBJECT: {
    severity: 'error',
    summary: 'The type exists only in the running process, such as a stream, a request or a database client.',
    fix: 'Take the values that the method needs as parameters. Take a client or a service in the constructor, or write @Inject before the parameter.',
  },
  TW_SCHEMA_VALUE_CLASS: {
    severity: 'error',
    summary: 'A class of a package stands where data must be, and only its own code can create an instance.',
    fix: 'If the value is not needed, make the property optional: optional ones are left out.',
  },
  TW_SCHEMA_UNRESOLVED_TYPE: {
    severity: 'error',
    summary: 'TypeScript cannot resolve the type, so its schema is unknown.',
    fix: 'Check the import and the spelling; `tsc` reports the same place.',
  },
  TW_SCHEMA_TOO_DEEP: {
    severity: 'error',
    summary: 'The type has no end: each level contains a new, larger type.',
    fix: 'A recursive type must contain itself unchanged. Remove the type argument that grows.',
  },
  TW_SCHEMA_DESTRUCTURED: {
    severity: 'error',
    summary:
      'Only the first parameter may be destructured, and only as an object. Any other one would have no name.',
    fix: 'Name the parameter and destructure it in the method body.',
  },
  TW_SCHEMA_NAME_CLASH: {
    severity: 'error',
    summary: 'Two parameters, or a parameter and a property of the destructured first one, share a name.',
    fix: 'Rename one of them.',
  },
  TW_SCHEMA_INJECT: {
    severity: 'error',
    summary: 'The container cannot fill in what has @Inject.',
    fix: 'Use @Inject on a parameter that takes one value and has no decorators for arguments.',
  },
  TW_SCHEMA_UNTYPED: {
    severity: 'warning',
    summary: 'The type is any or unknown, so the schema accepts everything.',
    fix: 'Write the type, or describe the accepted values with @Schema({ … }).',
  },
  TW_SCHEMA_TYPE_PARAMETER: {
    severity: 'warning',
    summary: 'Callers decide a type parameter, and the compiler cannot see them. It used the constraint.',
    fix: 'Use the concrete type, or give the type parameter the constraint that you mean.',
  },
  TW_SCHEMA_TUPLE_ORDER: {
    severity: 'warning',
    summary:
      'A tuple has elements after its rest element. The schema takes these and the rest in any order, because JSON Schema counts from the front.',
    fix: 'Put the rest element last, or check the order in the method.',
  },
  TW_SCHEMA_OPEN_ENUM: {
    severity: 'warning',
    summary: 'A member of an enum is computed when the program runs, so the schema accepts any number.',
    fix: 'Give each member a constant value.',
  },
  TW_SCHEMA_ACCESSOR: {
    severity: 'warning',
    summary: 'An accessor of a class is not part of its JSON: no argument sets it, and no result has it.',
    fix: 'Declare a property, or write @Expose() of class-transformer at the accessor.',
  },
  TW_SCHEMA_UNSEEN_CLASS: {
    severity: 'warning',
    summary:
      'A declaration file has no decorators. The server adds the rules of this class when it starts, but the manifest does not have them.',
    fix: 'Use an interface with doc tags, or a class of this package.',
  },
  TW_SCHEMA_UNPUBLISHED: {
    severity: 'warning',
    summary:
      'class-validator checks a rule that the schema does not have. The server may refuse calls that fit the schema.',
    fix: 'Write the rule with @Schema({ … }) on the property or in your decorator, or describe it in the doc comment.',
  },
  TW_SCHEMA_TRANSFORM: {
    severity: 'warning',
    summary:
      'The compiler cannot see which JSON values a @Transform accepts. The schema has the declared type.',
    fix: 'Write @Schema({ … }) beside @Transform, with the form that the value has in JSON.',
  },
  TW_SCHEMA_NESTED: {
    severity: 'warning',
    summary: '@ValidateNested() refuses values that are not instances of a class.',
    fix: 'Declare a class for the values, or remove @ValidateNested().',
  },
  TW_SCHEMA_DISCRIMINATOR: {
    severity: 'warning',
    summary: 'Callers cannot choose each class that a discriminator of @Type names.',
    fix: 'Write constant subTypes, and declare the property as a union of their classes.',
  },
  TW_SCHEMA_LATER_CLASS: {
    severity: 'error',
    summary: 'With `emitDecoratorMetadata`, a class names one that is declared below it in the same file.',
    fix: 'Declare it above the class that uses it, or in a module of its own; or leave "emitDecoratorMetadata" out, which Toolwright does not need.',
  },
  TW_SCHEMA_HIDDEN_CLASS: {
    severity: 'error',
    summary:
      'The server cannot reach a class that validates arguments or has methods, so it could not check a call, or make the object that the method expects.',
    fix: 'Export the class, or write @Type(() => TheClass) on the property that holds it.',
  },
  TW_SCHEMA_OVERLOADS: {
    severity: 'warning',
    summary: 'The method has overloads. The compiler used the signature of the implementation.',
    fix: 'Make one signature with a union or optional parameters, or one tool per overload.',
  },
  TW_SCHEMA_UNKNOWN_TAG: {
    severity: 'warning',
    summary: 'A doc tag is unknown but close to one that constrains the schema.',
    fix: 'Correct the spelling.',
  },
  TW_SCHEMA_TAG_VALUE: {
    severity: 'warning',
    summary: 'The value of a doc tag is wrong, so the schema leaves the tag out.',
    fix: 'Use numbers for limits and lengths, a valid regular expression for @pattern, and JSON for lists.',
  },
  TW_SCHEMA_TAG_TYPE: {
    severity: 'warning',
    summary: 'A doc tag does not belong to this type, so it does nothing.',
    fix: 'Use the tags of the type: lengths and patterns for texts, limits for numbers, counts of items for lists.',
  },
  TW_SCHEMA_FORMAT: {
    severity: 'warning',
    summary: 'A @format is unknown or does not belong to this type. It checks nothing.',
    fix: 'Use a format of JSON Schema (date-time, date, time, email, uri, uuid, hostname, ipv4, …) on a string, or @pattern.',
  },
  TW_SCHEMA_DEFAULT: {
    severity: 'warning',
    summary:
      'A default has another type, breaks a constraint, or differs from the default in the code. The schema leaves it out.',
    fix: 'Correct the default, or the type and the tags that it must fit.',
  },
  TW_SCHEMA_BOUNDS: {
    severity: 'warning',
    summary: 'A lower bound is larger than the upper one, so no value fits.',
    fix: 'Swap or correct the two bounds.',
  },
  TW_SCHEMA_DECORATOR_TYPE: {
    severity: 'warning',
    summary: 'A decorator of class-validator refuses every value of the declared type.',
    fix: 'Change the type or the decorator, so that both say the same.',
  },
  TW_SCHEMA_TAG_CONFLICT: {
    severity: 'warning',
    summary: 'A doc tag and a decorator say different things. The server checks both.',
    fix: 'Remove the tag. The schema has the rule of the decorator.',
  },
  TW_SCHEMA_PROTO: {
    severity: 'error',
    summary:
      'A parameter or a property is called __proto__. The server never accepts an argument with this name.',
    fix: 'Rename it.',
  },
  TW_SCHEMA_UNKNOWN_PARAM: {
    severity: 'warning',
    summary: 'A @param names no parameter of the method, so clients do not get its text.',
    fix: 'Correct the name, or remove the tag. For a property of a parameter, write `@param parameter.property`.',
  },
  TW_SCHEMA_LOST_RULE: {
    severity: 'error',
    summary: 'A limit or a mark of @sensitive does not reach the schema, so no caller is held to it.',
    fix: 'Write it at the parameter or property itself, with its value alone: `/** @maximum 5 */ amount: number`.',
  },
  TW_SCHEMA_UNUSED_SCHEMA: {
    severity: 'warning',
    summary:
      'The type of a parameter is that of a schema of Zod or another library, and no decorator has this schema. No caller is held to its limits.',
    fix: 'Write the schema before the parameter, such as @Schema(page), or give it for all arguments: @McpTool({ inputSchema: page }).',
  },
  TW_SCHEMA_LOST_TAG: {
    severity: 'warning',
    summary: 'A doc tag does not reach the schema of a result, of a key or of a part of a text.',
    fix: 'Write it at the property itself, say it with @Schema, or remove it.',
  },
  TW_SCHEMA_PATTERN: {
    severity: 'error',
    summary: 'A pattern is not a regular expression with the u flag, which JSON Schema requires.',
    fix: 'Escape what must be literal and leave everything else unescaped: `\\-` outside a class and `\\_` are refused.',
  },
  TW_SCHEMA_CONFLICT: {
    severity: 'warning',
    summary: '@Schema contradicts the type. The compiler used @Schema.',
    fix: 'Change the type or the @Schema, so that both say the same.',
  },
  TW_SCHEMA_NOT_CONSTANT: {
    severity: 'error',
    summary: '@Schema needs a constant, because the compiler does not run code.',
    fix: 'Write an object literal, or a const whose value is one.',
  },
  TW_SCHEMA_STANDARD_TYPE: {
    severity: 'error',
    summary: 'A parameter cannot take what its Zod, Valibot or ArkType schema returns.',
    fix: 'Infer the type of the parameter from the schema, as with `z.infer<typeof pageInput>`. A schema for all arguments needs one parameter for its output, or parameters with the names of its properties.',
  },
  TW_SCHEMA_HEADER: {
    severity: 'error',
    summary: 'An x-mcp-header breaks its rules. Clients drop such tools.',
    fix: 'Use a unique RFC 9110 token, on a string, integer or boolean property. Only objects may contain the property, not lists.',
  },
  TW_SCHEMA_QUESTION: {
    severity: 'error',
    summary: 'The compiler cannot know what a question of `ctx.elicit` or `ctx.sample` asks for.',
    fix: 'Write ctx.elicit<Guests>(…) with a concrete type and a constant key that no other question has, or pass a schema.',
  },
  TW_SCHEMA_FORM: {
    severity: 'error',
    summary: 'A form cannot ask for this type.',
    fix: 'A form is a flat object of strings, numbers, booleans, choices of strings and lists of such choices.',
  },
  TW_SCHEMA_SCHEDULE: {
    severity: 'error',
    summary: 'A cron expression or a time zone of @Scheduled cannot be used.',
    fix: "Write five fields (minute, hour, day, month, weekday) such as '0 3 * * *', or six with seconds in front; and a time zone such as 'Europe/Vienna'.",
  },
  TW_SCHEMA_TOO_LARGE: {
    severity: 'warning',
    summary: 'The schemas of one tool are large, and clients send them to the model in every conversation.',
    fix: 'Return less, or split the tool.',
  },
  TW_SCHEMA_OVER_BUDGET: {
    severity: 'error',
    summary: 'The schemas of one tool are too large for clients and models.',
    fix: 'Use a smaller type (Pick, Omit, or your own), or allow this size: @McpTool({ maxSchemaBytes: … }).',
  },
  TW_SCHEMA_DUPLICATE_NAME: {
    severity: 'warning',
    summary: 'Tools of two classes have the same name. A server with both does not start.',
    fix: 'Give one of them another name: @McpTool({ name: … }).',
  },
  TW_SCHEMA_INTERNAL: {
    severity: 'error',
    summary: 'The compiler failed on this signature.',
    fix: 'Please report the signature; meanwhile describe it with @Schema({ … }, { exact: true }).',
  },
} as const satisfies Record<string, DiagnosticEntry>;

export type SchemaErrorCode = keyof typeof schemaErrorCatalogue;
