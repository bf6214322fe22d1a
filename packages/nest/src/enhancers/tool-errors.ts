import { HttpException } from '@nestjs/common';
import { ToolError } from '@toolwright/core';

/**
 * An `HttpException` below 500 is meant for the caller, so its message becomes a `ToolError`. Every other error
 * stays as it is.
 */
export function toToolError(error: unknown): unknown {
  if (!(error instanceof HttpException) || error.getStatus() >= 500) return error;
  return new ToolError(messageOf(error), { cause: error });
}

/** A `ValidationPipe` lists its messages in the response. */
function messageOf(error: HttpException): string {
  const response = error.getResponse();
  const listed = typeof response === 'object' ? (response as { message?: unknown }).message : response;
  return Array.isArray(listed) ? listed.join('; ') : error.message;
}
