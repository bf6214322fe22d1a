/** A request to an API that is over. */
export interface AnsweredRequest {
  /** `GET /pets/{petId}`. It has no values, which may be secrets. */
  readonly name: string;
  /** The status of the answer; undefined if there was none. */
  readonly status: number | undefined;
  /** How long it took, with all attempts, in milliseconds. */
  readonly ms: number;
}

/** The class of a status, so that there are few of them. */
export const outcomeOf = ({ status }: AnsweredRequest) =>
  status === undefined ? 'no answer' : `${Math.floor(status / 100)}xx`;
