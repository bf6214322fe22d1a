export { connectView, type ConnectViewOptions } from './bridge/connect-view.js';
export type { Frame } from './bridge/frame.js';
export type { DisplayMode, ViewHost, Theme } from './bridge/host.js';
export { ViewError, type CallOptions, type CallProgress } from './bridge/rpc.js';
export type {
  View,
  ViewContents,
  ViewFile,
  ViewOf,
  ViewPhase,
  ViewProps,
  ViewSnapshot,
  ViewTools,
} from './bridge/view.js';
