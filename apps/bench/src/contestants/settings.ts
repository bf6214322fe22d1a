/**
 * The way a client speaks: revision 2026-07-28, which has no sessions; revision 2025-11-25 with a session per
 * connection; the same revision with neither a session nor an initialisation, as stateless servers allow.
 */
export type Dialect = 'modern' | 'session' | 'stateless';

/** What a right token is: a JWT of this issuer, for this audience, with this scope. */
export interface TokenRules {
  issuer: string;
  /** Where the issuer's keys are. */
  jwksUri: string;
  audience: string;
  scope: string;
}

/** What a contestant's process is told when it starts. */
export interface Settings {
  transport: 'http' | 'stdio' | 'fetch';
  dialect: Dialect;
  /** How many `measure_<n>` tools to serve. */
  tools: number;
  /** Serve `count` too, which reports progress: servers that must choose then stream their answers. */
  progress: boolean;
  /** Serve `search` too, which answers with objects and has an output schema. */
  objects?: boolean;
  /** Serve `save` too, whose argument is a nested DTO. */
  dto?: boolean;
  /** Serve `find_pages` too, which is as people write tools: asynchronous, with a limit, a nested DTO and rows. */
  usual?: boolean;
  /** Let only calls pass whose bearer token is right. */
  tokens?: TokenRules;
  /** Serve `book`, which asks the person behind the client. */
  elicit?: boolean;
  /** Serve `report`, whose calls become tasks. */
  task?: boolean;
  /** Serve `touch`, which tells all listening streams of a change. */
  fanout?: boolean;
  /** Serve `forward`, which calls the server at this port. */
  upstream?: number;
  /** Let one caller have any number of calls at a time. */
  unqueued?: boolean;
  /** Count calls in the Redis at this URL. */
  redis?: string;
  /** Folder of the sources generated for this number of tools (see `generate/`); logs may be written there too. */
  generated: string;
}
