/** Every code that core's errors and boot problems carry, with what it means. docs/errors.md lists the same. */
export const errorCatalogue = {
  TW_TOOL_ERROR: 'A tool told its caller what went wrong.',
  TW_PROTOCOL_ERROR: 'A request broke the protocol; answered as a JSON-RPC error.',
  TW_DECORATOR_PLACE: 'A decorator was written where it has no meaning.',
  TW_DECORATOR_METADATA: 'The compiler passes no metadata object to standard decorators.',
  TW_CONFIGURATION: 'The server cannot start; the message lists every problem.',
} as const;

export type ErrorCode = keyof typeof errorCatalogue;
