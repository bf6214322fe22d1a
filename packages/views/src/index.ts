export { connectView, type ConnectViewOptions } from './bridge/connect-view.js';
export type { Frame } from './bridge/frame.js';
export type { DisplayMode, ViewHost, Theme } from './bridge/host.js';
export type { CallProgress, PartOf } from './bridge/progress.js';
export { ViewError, type CallOptions } from './bridge/rpc.js';
export { type CallStatusProps, type CallWords, type StatusElement, showCall } from './bridge/show-call.js';
export { type CallPhase, type CallSnapshot, type ToolCall, toolCall } from './bridge/tool-call.js';
export type {
  PartialViewOf,
  View,
  ViewContents,
  ViewFile,
  ViewOf,
  ViewPhase,
  ViewProps,
  ViewSnapshot,
  ViewTools,
} from './bridge/view.js';
