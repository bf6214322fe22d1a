/** Every code that core's errors and boot problems carry, with what it means. docs/errors.md lists the same. */
export const errorCatalogue = {
  TW_TOOL_ERROR: 'A tool told its caller what went wrong.',
  TW_PROTOCOL_ERROR: 'A request broke the protocol; answered as a JSON-RPC error.',
  TW_DECORATOR_PLACE: 'A decorator was written where it has no meaning.',
  TW_DECORATOR_METADATA: 'The compiler passes no metadata object to standard decorators.',
  TW_DEPENDENCY_UNKNOWN: 'Nothing tells what to inject for a constructor parameter.',
  TW_DEPENDENCY_MISSING: 'Nothing provides what a constructor or factory asks for.',
  TW_DEPENDENCY_CIRCULAR: 'Services need each other in a circle.',
  TW_DEPENDENCY_CAPTIVE: 'A service that lives as long as the server wants one that lives for one call.',
  TW_SERVICE_START: 'A service could not be built or initialised.',
  TW_CONFIGURATION: 'The server cannot start; the message lists every problem.',
} as const;

export type ErrorCode = keyof typeof errorCatalogue;
