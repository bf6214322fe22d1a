import { createElement, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { type CallStatusProps, showCall } from './bridge/show-call.js';
import { type CallSnapshot, type ToolCall, toolCall } from './bridge/tool-call.js';
import type { ArgsOf, ToolResultOf, ToolName, View, ViewSnapshot } from './bridge/view.js';

/** What the view shows now. The component renders again after each change. */
export function useView<Result, Args, State>(
  view: View<Result, Args, State>,
): ViewSnapshot<Result, Args, State> {
  return useSyncExternalStore(view.onChange, () => view.snapshot);
}

/** The calls of a tool that the component makes. It renders again as they go on. A call ends with its component. */
export function useCall<Name extends ToolName>(
  view: Pick<View, 'call'>,
  name: Name,
): CallSnapshot<ToolResultOf<Name>> & { readonly call: ToolCall<ArgsOf<Name>, ToolResultOf<Name>> } {
  const call = useMemo(() => toolCall(view, name), [view, name]);
  useEffect(() => call.cancel, [call]);
  const snapshot = useSyncExternalStore(call.onChange, () => call.snapshot);
  return { ...snapshot, call };
}

/**
 * Shows how far a call is, with a button that cancels it, and why it failed.
 *
 * @returns an element. Its type is not named, because the types of React are not installed with this package
 */
export function CallStatus({ call, words }: CallStatusProps): {
  type: string;
  props: unknown;
  key: string | null;
} {
  const element = useRef<never>(null);
  useEffect(() => showCall(call, element.current!, words), [call, words]);
  return createElement('div', { ref: element });
}
