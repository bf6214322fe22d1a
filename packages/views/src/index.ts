export { connectView, type ConnectOptions } from './bridge/connect-view.js';
export type { Frame } from './bridge/frame.js';
export type { DisplayMode, Host, Theme } from './bridge/host.js';
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
