import type { JsonSchema } from './schema-facts.js';

/** What a tool does with the API: everything that its code, or the run-time tool, is made from. */
export interface PlannedOperation {
  /** `GET /pets/{petId}`. An operation keeps its tool by this key from one import to the next. */
  readonly key: string;
  readonly operationId: string | undefined;
  readonly method: string;
  readonly path: string;
  /** Where it is, if not below the address of the API: a whole address, or a path on the same host. */
  readonly baseUrl?: string | undefined;
  /** The tag, or the first part of the path. */
  readonly group: string;
  readonly toolName: string;
  /** The name without the prefix: the code has no use for one, because it is in a folder of its own. */
  readonly ownName: string;
  readonly description: string;
  readonly deprecated: boolean;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly scopes: readonly string[];
  /** The credentials that it takes; undefined if the specification says nothing of them. */
  readonly auth: PlannedAuth | undefined;
  readonly arguments: readonly PlannedArgument[];
  /** Headers and queries that are always the same. */
  readonly constants: readonly { readonly in: string; readonly name: string; readonly value: string }[];
  readonly body: PlannedBody | undefined;
  readonly result: PlannedResult;
  readonly paging: Paging | undefined;
}

export interface PlannedAuth {
  /** As `auth` of a request has them: one of the lists is enough. */
  readonly lists: readonly (readonly string[])[];
  /** Whether it takes all that the API has, so that a request may have all. */
  readonly isEverything: boolean;
}

/** An argument of the tool that is a parameter of the API. */
export interface PlannedArgument {
  /** The name that callers use. It is the API's own where TypeScript and every host accept that. */
  readonly name: string;
  readonly apiName: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly style: ParameterStyle;
  /** Reserved characters of its values stay as they are. */
  readonly isReserved: boolean;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** How a value is written. `form` and `simple` are the usual ways and need no word in the code. */
export type ParameterStyle =
  | 'form'
  | 'simple'
  | 'commaSeparated'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'
  | 'exploded'
  | 'label'
  | 'labelExploded'
  | 'matrix'
  | 'matrixExploded'
  | 'json';

export interface PlannedBody {
  readonly kind: 'json' | 'form' | 'multipart' | 'text' | 'binary';
  readonly contentType: string;
  readonly required: boolean;
  /** The properties are arguments of the tool beside the parameters. Otherwise the body is one argument. */
  readonly isFlat: boolean;
  /** The name of the argument, where the body is one, and of the variable in the code. */
  readonly name: string;
  readonly schema: JsonSchema;
  /** How members of a form are written where the specification says so. */
  readonly styles: Readonly<Record<string, ParameterStyle>>;
  /** The media types of parts of a multipart body. */
  readonly parts: Readonly<Record<string, string>>;
}

export type PlannedResult =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'text';
      /** It is where the API says that the thing made is, because the answer has no content. */
      readonly isLocation?: boolean;
    }
  | {
      readonly kind: 'json';
      readonly schema: JsonSchema;
      /** The specification has a success without content, too. It is null. */
      readonly mayBeEmpty?: boolean;
    };

/** How the API divides a list into pages. The tool has one argument in its place: how many items at most. */
export interface Paging {
  readonly by: 'page' | 'offset' | 'cursor' | 'last-id';
  /** The parameter of the API that says which page. */
  readonly at: string;
  /** The parameter of the API that says how many items a page has, and the largest and the smallest number. */
  readonly size: { readonly name: string; readonly most: number; readonly least?: number } | undefined;
  /** Where the items are in an answer; undefined if the answer is the list. */
  readonly items: string | undefined;
  /** Where the cursor of the next page is, or what says that there are more pages. */
  readonly next: string | undefined;
  /** The first page or offset, where a request has to say it or the API does not count pages from 1. */
  readonly first?: number | undefined;
  /** What of the specification shows that these are pages, for the report. */
  readonly evidence: string;
}

/** The argument that replaces those of the pages. */
export const LIMIT = { name: 'limit', initial: 50, most: 1_000 } as const;

/** An operation that becomes no tool, and why. */
export interface SkippedOperation {
  readonly operation: string;
  readonly reason: string;
}
