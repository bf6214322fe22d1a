import { ToolwrightError } from '@toolwright/core';

/** Every error code of this package, with its meaning. docs/errors.md lists the same codes. */
export const identityErrorCatalogue = {
  TW_DEV_ISSUER_IN_PRODUCTION: 'The issuer of development was started with `NODE_ENV=production`.',
  TW_DEV_ISSUER_OPTIONS: 'An option of the issuer of development, or its file of test users, is wrong.',
} as const;

export type IdentityErrorCode = keyof typeof identityErrorCatalogue;

/** The issuer of development cannot start. The message says what to do. */
export class DevIssuerError extends ToolwrightError {
  constructor(
    readonly code: IdentityErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
