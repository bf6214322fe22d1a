/** Requests to ask for some time, in the process of the handler itself. */
export interface Drive {
  requests: { headers: Record<string, string>; body: string }[];
  seconds: number;
}

/** What came of it, and the last answer, to be checked. */
export interface Driven {
  answers: number;
  seconds: number;
  failures: number;
  last: { status: number; headers: Record<string, string>; body: string };
}
