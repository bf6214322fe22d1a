import type { ExtraErrorCodes } from '../extended.js';

/**
 * Every error code of core, for errors and for problems at boot, with its meaning. docs/errors.md lists the
 * same codes.
 */
export const errorCatalogue = {
  TW_TOOL_ERROR: 'A tool told its caller what went wrong.',
  TW_PROTOCOL_ERROR: 'A request broke the protocol. The caller gets a JSON-RPC error.',
  TW_DECORATOR_PLACE: 'A decorator has no meaning at its place.',
  TW_DECORATOR_REPEATED: 'Two decorators of one kind are on one place, and only one can apply.',
  TW_DECORATOR_METADATA:
    'The compiler passes no metadata to standard decorators. Compile with TypeScript 5.2 or later.',
  TW_OPTION_INVALID:
    'An option is unknown, or its value is not allowed. It can be an option of the server, a decorator, a provider or a definition.',
  TW_AUDIT_MISSING: '`audit` names a file, but `@toolwright/audit` is not installed.',
  TW_PACKAGE_MISSING: 'An option needs a package that is not installed, or another version of it.',
  TW_PACKAGE_TWICE:
    'A package is loaded in two copies, and the server cannot see the decorators of one of them. Install it once.',
  TW_EXTENSION_INVALID: 'A package adds something to the server that is there already.',
  TW_FILES_NEEDED: 'An option needs files, and the platform has none. The problem says what to pass instead.',
  TW_SERVICE_EMPTY: 'A listed service has no decorated method.',
  TW_MODULE_DEADLOCK:
    'A module waits for `createMcpServer` at its top level, and the server needs a class of this module. Move the class into another module.',
  TW_DISCOVER_FAILED:
    'The server could not discover services, because it cannot read a directory or a module.',
  TW_MANIFEST_MISSING:
    'There is no manifest for a service: its package was not built with `toolwright build`.',
  TW_MANIFEST_INVALID: 'A manifest cannot be read, is of another format, or is damaged.',
  TW_MANIFEST_PINNED:
    '`manifest.hash` does not list the checksum of a manifest. Restore the manifest that was built.',
  TW_MANIFEST_STALE: 'A manifest belongs to another version of the code than the one that runs. Build again.',
  TW_MANIFEST_UNMATCHED:
    'The server cannot find out which class of the manifests a service is. Give the service an `id`.',
  TW_NAME_INVALID: 'A name has characters that clients refuse, or more than 64 characters.',
  TW_NAME_DUPLICATE: 'Two operations of one kind have the same name or URI.',
  TW_TEXT_HIDDEN: 'A published text has characters that people cannot see.',
  TW_SCHEMA_INVALID: 'A schema refers to another document, uses another dialect, or describes no object.',
  TW_SCHEMA_STANDARD:
    'A schema of Zod, Valibot, ArkType or the like cannot be written as JSON Schema, so no client could learn about it.',
  TW_PATTERN_UNSAFE:
    'A pattern of the arguments or the result is invalid, or a short text can keep it busy for seconds.',
  TW_HEADER_INVALID: 'An x-mcp-header declaration breaks its rules.',
  TW_URI_INVALID:
    'The URI of a resource is not absolute, the URI of an app is not a `ui://` URI, or the server cannot use a URI template.',
  TW_APP_UNKNOWN: 'A tool names an app that the server does not serve. Decorate a method with `@McpApp`.',
  TW_VIEW_UNBUILT: 'The page of a view is missing, or another one than the manifest names. Build again.',
  TW_APP_INVALID: 'No host can honour the settings of an app, or of the link from a tool to an app.',
  TW_DEPENDENCY_UNKNOWN:
    'The container cannot know what to pass for a parameter of a constructor or method. Write `@Inject(token)` before it.',
  TW_DEPENDENCY_MISSING:
    'A constructor, factory or method needs something that nothing provides. Add a provider.',
  TW_DEPENDENCY_CIRCULAR: 'Services need each other in a circle.',
  TW_DEPENDENCY_CAPTIVE: 'A service needs another service that does not live as long as itself.',
  TW_DEPENDENCY_FACTORY: 'A `useFactory` has more or fewer parameters than its `inject` has entries.',
  TW_SESSION_REQUIRED:
    'The call needs something that lives as long as a session, but the call has no session.',
  TW_SESSION_ELSEWHERE:
    'The call needs something that was kept for its session, but another process has it, or it has ended. The client must open a new session.',
  TW_PROCESS_BOUND:
    'Something would live in one process, but the next request of a client may reach another one.',
  TW_SERVICE_START: 'The container could not build or initialize a service.',
  TW_POLICY_INVALID: 'A policy is wrong as it is written, or does not work on this operation.',
  TW_POLICY_MISPLACED: 'A policy is on a method or a class where it would do nothing.',
  TW_INVALID_ARGUMENTS: 'The arguments do not fit the schema. The answer says what was expected.',
  TW_INVALID_OUTPUT:
    'The result of a method does not fit its output schema, or is not JSON. The server did not send it; the log names the place.',
  TW_QUESTION_UNKNOWN:
    'A method asks for an answer of a type that no build compiled: `ctx.elicit<T>`, `ctx.sample<T>`. Build again, or pass a schema.',
  TW_CURSOR_INVALID:
    'The cursor of a result is of another caller or of other arguments, or what it continues is not kept any more.',
  TW_CURSOR_STALE:
    'The data has changed since the first part of a result was sent, so that its parts do not fit together.',
  TW_OUTPUT_TOO_LARGE: 'A result exceeds its limit, and the server cannot cut it.',
  TW_INTERNAL: 'A method or middleware failed. The caller got a reference id; the log has the details.',
  TW_NEXT_MISUSED:
    'A middleware called `next()` a second time, or after its call had ended. The second `next()` ran nothing; the log names the middleware.',
  TW_AROUND_MISUSED:
    'The option `around` called `run()` never, a second time, or after it had ended, so the call failed. The log says which.',
  TW_HIDDEN: 'The caller may not use the operation. The server answered that it does not exist.',
  TW_PROGRAM_REFUSED:
    'A call of a program was not made: programs of this server do not call the tool, or an earlier round may have made the call. The error says which.',
  TW_UNKNOWN_NAME: 'No operation has this name or URI.',
  TW_TASK_UNKNOWN: 'The task does not exist, has expired, or belongs to another caller.',
  TW_STATE_INVALID:
    'A `requestState` was forged, stolen, misplaced, used before, is of another release, or has expired.',
  TW_SESSION_UNKNOWN: 'The session does not exist, or belongs to another caller.',
  TW_AUTHENTICATION: 'The server could not authenticate the caller. The record says why.',
  TW_ADDRESS:
    'The Host or the Origin of the HTTP request is not allowed, or the machine that it comes from is not.',
  TW_HEADER_MISMATCH: 'The HTTP headers contradict the message.',
  TW_REQUEST_INVALID: 'The request is malformed, so it names no operation.',
  TW_INSUFFICIENT_SCOPE: 'The token of the caller lacks scopes that the operation needs.',
  TW_RATE_LIMITED: 'The caller has used up its points. The answer says when to try again.',
  TW_RATE_LIMIT_POINTS:
    'The function `points` of a rate limit threw, or returned no whole number of at least 0, so the call was refused.',
  TW_RATE_LIMIT_KEY:
    'The `key` of `@RateLimit` threw, or took longer than a second, so the call was refused. The log says what it threw.',
  TW_LIMITER_DOWN:
    'The server cannot reach the store of the rate limiter, and the tool refuses calls in this case.',
  TW_CONCURRENCY: 'Too many calls of this caller or of this tool already run or wait.',
  TW_OVERLOAD: 'The server has more work than it can do.',
  TW_TIMEOUT: 'The call took longer than its deadline allows.',
  TW_CANCELLED: 'The caller cancelled the call, or went away.',
  TW_CONFIRMATION_REQUIRED: 'The tool needs a confirmation, and the client cannot ask its user.',
  TW_NOT_CONFIRMED: 'The user did not confirm the call.',
  TW_TASKS_FULL: 'The caller, or the server, has reached its limit of tasks. Tasks expire with time.',
  TW_TASKS_DOWN:
    'The server cannot reach its task queue, so it begins no tasks, and cannot say how they are. Try again later.',
  TW_TASK_GIVEN_UP:
    'A queued task was given up before its method ran again. The detail says why: `tool_gone`, `contract_changed`, `run_lost` or `runs_lost`.',
  TW_AUDIT_DOWN: 'The server could not record the call, and the tool must not run without a record.',
  TW_PRINCIPAL_UNNAMED: 'A principal has neither a subject nor a client id. Over HTTP the caller gets 401.',
  TW_AUDIENCE_AMBIGUOUS: 'Several operations with one name are for one caller, so none of them runs.',
  TW_TENANT_INVALID: 'The tenant of a principal is not a text, or is empty. Over HTTP the caller gets 401.',
  TW_SECURITY_STRICT: "`security: 'strict'` requires something that is missing.",
  TW_CONFIGURATION: 'The server cannot start; the message lists every problem.',
} as const;

export type ErrorCode = keyof typeof errorCatalogue | keyof ExtraErrorCodes;
