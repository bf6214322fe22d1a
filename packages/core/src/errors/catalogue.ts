/** Every code that core's errors and boot problems carry, with what it means. docs/errors.md lists the same. */
export const errorCatalogue = {
  TW_TOOL_ERROR: 'A tool told its caller what went wrong.',
  TW_PROTOCOL_ERROR: 'A request broke the protocol; answered as a JSON-RPC error.',
  TW_DECORATOR_PLACE: 'A decorator was written where it has no meaning.',
  TW_DECORATOR_METADATA: 'The compiler passes no metadata object to standard decorators.',
  TW_OPTION_INVALID: 'An option of the server is unknown or has a value that it cannot have.',
  TW_SERVICE_EMPTY: 'A class among the services has no decorated method.',
  TW_DISCOVER_FAILED: 'Services could not be discovered: a directory or module cannot be read.',
  TW_MANIFEST_MISSING: 'There is no manifest for a service: its package was not built with `toolwright build`.',
  TW_MANIFEST_INVALID: 'A manifest cannot be read, or is of another format.',
  TW_MANIFEST_STALE: 'A manifest was compiled from another version of the code than the one that is running.',
  TW_MANIFEST_UNMATCHED: 'No manifest says for certain which of its classes a service is.',
  TW_NAME_INVALID: 'A name has characters that clients refuse, or more than 64 of them.',
  TW_NAME_DUPLICATE: 'Two operations of one kind have the same name or URI.',
  TW_TEXT_HIDDEN: 'A name, title or description has characters that people cannot see.',
  TW_SCHEMA_INVALID: 'A schema refers to another document, speaks another dialect, or describes no object.',
  TW_HEADER_INVALID: 'An x-mcp-header declaration breaks its rules.',
  TW_URI_INVALID: 'The URI of a resource is not absolute, or a URI template cannot be used.',
  TW_POLICY_INVALID: 'The options of a policy decorator are wrong.',
  TW_DEPENDENCY_UNKNOWN: 'Nothing tells what to inject for a constructor parameter.',
  TW_DEPENDENCY_MISSING: 'Nothing provides what a constructor or factory asks for.',
  TW_DEPENDENCY_CIRCULAR: 'Services need each other in a circle.',
  TW_DEPENDENCY_CAPTIVE: 'A service that lives as long as the server wants one that lives for one call.',
  TW_SERVICE_START: 'A service could not be built or initialised.',
  TW_CONFIGURATION: 'The server cannot start; the message lists every problem.',
} as const;

export type ErrorCode = keyof typeof errorCatalogue;
