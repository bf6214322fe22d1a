/**
 * A page of an MCP App that the console shows. It is sent to `POST frames`, beside `api/`. The answer is an
 * `AppFrame`, whose `url` is shown in `<iframe sandbox="allow-scripts">`. The page has an origin of its own, and a policy
 * of its own.
 */
export interface AppFrameRequest {
  /** The HTML of the resource. */
  readonly html: string;
  /** What the resource declares in `_meta.ui.csp`. */
  readonly csp?: AppFramePolicy;
}

/** The origins that a page may use. See the extension `io.modelcontextprotocol/ui`, revision 2026-01-26. */
export interface AppFramePolicy {
  /** Scripts, styles, images, fonts and media. */
  readonly resourceDomains?: readonly string[];
  /** `fetch`, `XMLHttpRequest` and `WebSocket`. */
  readonly connectDomains?: readonly string[];
  readonly frameDomains?: readonly string[];
  readonly baseUriDomains?: readonly string[];
}

export interface AppFrame {
  readonly url: string;
}
