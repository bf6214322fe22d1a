import type { ExternalResolver } from '../../container/external-resolver.js';
import type { Provider } from '../../container/provider.js';
import type { AnyClass } from '../../base/metadata/store.js';
import type { PipelineOptions } from '../../call/call-options.js';
import type { AuditFileOptions } from '../../ports/audit-file-options.js';
import type { AuditSink } from '../../ports/audit-sink.js';
import type { Clock } from '../../ports/clock.js';
import type { EventBus } from '../../ports/event-bus.js';
import type { IdSource } from '../../ports/id-source.js';
import type { Logger } from '../../ports/logger.js';
import type { ProtocolOptions } from '../../protocol/protocol-options.js';
import type { ServerInfo } from '../../protocol/protocol-host.js';
import type { SecurityOptions } from './security-options.js';
import type { ManifestSource } from '../manifest/manifest-source.js';

/** What is served, and where its parts come from. */
export interface KernelOptions {
  /** Told to clients when they connect: how the tools are best used together. */
  instructions?: string;
  /**
   * Classes with decorated methods. Without `services` and `discover`, the classes that the manifests named by
   * `manifest` list.
   */
  services?: readonly AnyClass[];
  /** Directories of compiled modules, relative to the working directory, whose exported services are served. */
  discover?: string | readonly string[];
  /** What services are built with. Later ones replace earlier ones of the same token. */
  providers?: readonly Provider[];
  /**
   * Manifests: paths relative to the working directory, manifests that are read already, or providers of them.
   * Default: the `mcp.manifest.json` of each service's package.
   */
  manifest?: ManifestSource | readonly ManifestSource[];
  /**
   * The `checksum` of each manifest file that may be used: one that somebody has written since does not boot. Manifests
   * that this process compiles itself (`toolwright dev`, tests) have none.
   */
  manifestHash?: string | readonly string[];
  /** Another container that owns the instances. */
  resolver?: ExternalResolver;
  /** Where the framework logs; a pino logger fits. Default: warnings and errors as JSON on standard error. */
  logger?: Logger;
  clock?: Clock;
  ids?: IdSource;
  /** Carries change events between the instances of one server. Default: within this process. */
  bus?: EventBus;
}

/** Everything that can be said of a server. */
export interface ServerOptions
  extends ServerInfo, KernelOptions, Omit<PipelineOptions, 'audit' | 'onSecurity'>, ProtocolOptions {
  /** Where calls are recorded: a sink, a file (needs the package `@toolwright/audit`), or nowhere. Default: nowhere. */
  audit?: AuditSink | AuditFileOptions | false;
  /**
   * `'strict'`: what is usually left to the application is demanded, and what is left open keeps the server from
   * starting. Anonymous callers are refused; every tool declares its annotations and its scopes; calls are recorded;
   * hidden characters are dropped; output that is not declared is refused. docs/security.md says what each part costs.
   */
  security?: 'strict' | SecurityOptions;
}
