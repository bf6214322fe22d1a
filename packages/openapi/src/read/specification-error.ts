import { ToolwrightError } from '@toolwright/core';

declare module '@toolwright/core/extend' {
  interface ExtraErrorCodes {
    TW_OPENAPI_INCLUDE: true;
  }
}

/** Every error code of this package, with its meaning. docs/errors.md lists the same codes. */
export const openApiErrorCatalogue = {
  TW_OPENAPI_SPECIFICATION:
    'A specification cannot be read, has a mistake, or refers to something that may not be read.',
  TW_OPENAPI_INCLUDE: 'Patterns choose no operation of a specification.',
  TW_OPENAPI_RESPONSE: 'An API answered with an error, or with something that cannot be used.',
  TW_OPENAPI_REQUEST: 'A request to an API cannot be made from these arguments, or got no answer.',
} as const;

export type OpenApiErrorCode = keyof typeof openApiErrorCatalogue;

/** A specification cannot be used. The message is one line that names the file and the reason. */
export class SpecificationError extends ToolwrightError {
  readonly code = 'TW_OPENAPI_SPECIFICATION' satisfies OpenApiErrorCode;
}
