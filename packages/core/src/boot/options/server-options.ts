import type { ExtraServerOptions } from '@toolwright/ground/base/extended';
import type { AnyClass } from '@toolwright/ground/base/metadata/store';
import type { OptionSchema } from '@toolwright/ground/base/options/option-schema';
import { either, group, listOf, oneOf, required } from '@toolwright/ground/base/options/rules';
import type { PipelineOptions } from '@toolwright/ground/call/call-options';
import type { AuditFileOptions, AuditSink } from '@toolwright/ground/ports/audit-sink';
import type { Clock, IdSource } from '@toolwright/ground/ports/clock-and-ids';
import type { Logger } from '@toolwright/ground/ports/logger';
import type { ServerStores } from '@toolwright/ground/ports/server-stores';
import type { ServerInfo } from '@toolwright/wire/revision-record';
import type { PackageOptions } from '../extensions/load-packages.js';
import type { ExternalResolver, Provider } from '../../container/provider.js';
import type { ProtocolOptions } from '../../protocol/protocol-options.js';
import type { ManifestOption } from '../manifest/load-manifests.js';

/** How the server introduces itself to people. Clients may show all of it. */
export type AboutOptions = Omit<ServerInfo, 'name' | 'version'>;

/** What a server takes from its surroundings. */
export interface PortOptions {
  /** Default: the clock of this machine. */
  clock?: Clock;
  /** Default: random ids. */
  ids?: IdSource;
  /**
   * Names this process among the processes of the server, such as the name of its pod. Every log line has it as
   * `instance`. Default: no name.
   */
  instanceId?: string;
}

/** What the server offers, and where it gets its parts from. */
export interface KernelOptions {
  /** How the server introduces itself: its title, description, icons and website. */
  about?: AboutOptions;
  /** A text that clients get when they connect. It says how the tools are best used together. */
  instructions?: string;
  /**
   * The classes with decorated methods. Without `services`, `instances` and `discover`, the server offers the classes
   * that are listed in the manifests of `manifest`.
   */
  services?: readonly AnyClass[];
  /**
   * Objects with decorated methods that the application has made itself. They are called as they are, other services
   * get them by their class, and the application closes them. At most one of a class, and `services` must not name it.
   *
   * @example
   * instances: [orders, bookings]
   */
  instances?: readonly object[];
  /**
   * Directories of compiled modules, relative to the working directory. The server offers every service that
   * these modules export.
   */
  discover?: string | readonly string[];
  /** What services are built with. A later provider replaces an earlier one for the same token. */
  providers?: readonly Provider[];
  /**
   * The manifests: paths relative to the working directory, manifests that were already read, or functions
   * that return them. Default: the `mcp.manifest.json` of each service's package. `{ file, hash }` also says
   * which checksums they must have.
   *
   * @example
   * manifest: { file: 'mcp.manifest.json', hash: process.env.MANIFEST_HASH }
   */
  manifest?: ManifestOption;
  /** Another container that owns the instances. */
  resolver?: ExternalResolver;
  /**
   * Receives the framework's log messages: the logger of your app, such as pino, winston or `console`. Default:
   * warnings and errors are written to standard error as JSON.
   */
  logger?: Logger;
  /** The clock, the source of ids, and the name of this process. */
  ports?: PortOptions;
  /**
   * Where the server keeps what outlives a call, and what several processes share: limits, sessions, events, tasks and
   * more. Default: in the memory of this process. Of several for the same thing, the last one counts. `secrets` must be
   * set, too. See docs/stores.md.
   *
   * @example
   * stores: [redisStores({ url: process.env.REDIS_URL }), { tasks: postgresTasks({ url: process.env.DATABASE_URL }) }]
   */
  stores?: ServerStores | readonly ServerStores[];
  /**
   * Secrets of at least 32 characters each. Whatever leaves the process is sealed with keys that are derived from
   * them, one for each use: states of waiting calls, ids of sessions, events, cached results and tasks. The first
   * secret seals; each of them can open, so that you can replace secrets step by step. All processes of one server
   * need the same secrets. With secrets, every process can serve a session, and so can one that is started later.
   * Default: a random secret for this process only; a session then ends with its process.
   *
   * @example
   * secrets: [process.env.SECRET, process.env.FORMER_SECRET]
   */
  secrets?: readonly string[];
}

/** All options of a server. */
export interface ServerOptions
  extends
    Pick<ServerInfo, 'name' | 'version'>,
    KernelOptions,
    Omit<PipelineOptions, 'audit' | 'onSecurity'>,
    ProtocolOptions,
    PackageOptions,
    ExtraServerOptions {
  /**
   * Where calls are recorded: in a sink, in a file (this needs the package `@toolwright/audit`), or nowhere.
   * Default: nowhere.
   */
  audit?: AuditSink | AuditFileOptions | false;
  /**
   * `'strict'`: the server checks what it usually leaves to the application, and does not start when
   * something is missing. Anonymous callers are refused. Every tool must declare its annotations and its
   * scopes. Calls are recorded. Hidden characters are removed. Output that is not declared is refused.
   * docs/security.md says what each part costs.
   */
  security?: 'strict' | SecurityOptions;
}

/** The parts of the strict security mode, in the order in which docs/security.md explains them. */
export const securityParts = [
  'principals',
  'annotations',
  'scopes',
  'audit',
  'hidden',
  'output',
  'landing',
] as const;

/**
 * A part of the strict security mode:
 * - `principals`: anonymous callers are refused
 * - `annotations`: every tool must say whether it only reads, and whether it destroys
 * - `scopes`: every tool, prompt, resource and template must say which scopes it needs
 * - `audit`: every call of these is recorded
 * - `hidden`: hidden characters are removed from text
 * - `output`: data that a tool does not declare is never sent
 * - `landing`: endpoints over HTTP show no page to people who open them in a browser
 */
export type SecurityPart = (typeof securityParts)[number];

/** The strict security mode, without the parts that `relax` names. */
export interface SecurityOptions {
  mode: 'strict';
  relax?: readonly SecurityPart[];
}

const securityOptions = {
  mode: required(oneOf('strict')),
  relax: listOf(`a list of ${securityParts.map((part) => `'${part}'`).join(', ')}`, oneOf(...securityParts)),
} satisfies OptionSchema<SecurityOptions>;

export const securityRule = either(oneOf('strict'), group(securityOptions, "{ mode: 'strict', relax }"));
