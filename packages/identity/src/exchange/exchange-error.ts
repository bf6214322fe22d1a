import { ToolError } from '@toolwright/core';

/** Every error code of tokens for other resources, with its meaning. docs/errors.md lists the same codes. */
export const exchangeErrorCatalogue = {
  TW_TOKEN_RULE: 'A tool asked for a token that the option `exchange` does not provide for.',
  TW_TOKEN_CALLER: 'A token on behalf of the caller needs a token of the caller, and the call has none.',
  TW_TOKEN_GRANT: 'The user has not granted access to a resource, and could not be asked, or has refused.',
  TW_TOKEN_REFUSED: 'The issuer refused a token for another resource.',
  TW_TOKEN_UNAVAILABLE: 'The issuer of a token for another resource did not answer.',
} as const;

export type ExchangeErrorCode = keyof typeof exchangeErrorCatalogue;

/** Why a tool gets no token. The model may read it: it says what to do, and nothing that the issuer said. */
export class ExchangeError extends ToolError {
  override readonly code: ExchangeErrorCode;

  constructor(code: ExchangeErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { code, ...options });
    this.code = code;
  }
}
