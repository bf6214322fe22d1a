/** A request in the words of the specification: what the generated methods write. */
export interface ApiRequest {
  readonly method: string;
  /** The path of the specification, with `{names}` that `params` fill. */
  readonly path: string;
  /** Where the operation is, if not below the address of the client. A path is on the same host. */
  readonly baseUrl?: string;
  /**
   * The credentials that the operation takes: `bearer`, `basic`, or a key such as `header X-Key`. One of the lists is enough: the
   * first one that the client has all of. With no list, and with an empty one alone, none is sent. Default: all of the client.
   */
  readonly auth?: readonly (readonly string[])[];
  /** An answer without content is null: the specification has a success without any. */
  readonly mayBeEmpty?: boolean;
  /** The text of an answer without content is its header `Location`: where the thing is that the request made. */
  readonly location?: boolean;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly cookies?: Readonly<Record<string, unknown>>;
  /** Sent as JSON; a text or bytes as they are, if `contentType` says what they are. */
  readonly body?: unknown;
  readonly contentType?: string;
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: object | undefined;
  /** Sent as `multipart/form-data`, or as `contentType`. Bytes become files, and objects parts of JSON. */
  readonly multipart?: object | undefined;
  /** The media types of members of `multipart`, where these are others than the usual ones. */
  readonly parts?: Readonly<Record<string, string>>;
}

/** Any value of JSON, for parts that a specification leaves open. */
export type Json = string | number | boolean | null | object | Json[];
