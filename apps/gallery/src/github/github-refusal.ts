import type { SafeResponse } from '@toolwright/safe';

interface FieldError {
  field?: string;
  code?: string;
}

/** GitHub answered, but not with what was asked for. */
export class GithubRefusal extends Error {
  override readonly name = 'GithubRefusal';
  readonly status: number;
  /** Seconds after which to try again, when GitHub says so. */
  readonly retryAfter: number | undefined;
  /** Fields of the request that GitHub does not accept. */
  readonly fields: readonly string[];

  constructor({ status, headers }: SafeResponse, answer: Record<string, unknown>) {
    super(`GitHub answered ${status}: ${String(answer.message)}`);
    this.status = status;
    this.retryAfter = Number(headers['retry-after']) || undefined;
    const errors = Array.isArray(answer.errors) ? (answer.errors as FieldError[]) : [];
    this.fields = errors.flatMap(({ field, code }) => (field ? [`${field} (${code ?? 'invalid'})`] : []));
  }
}
