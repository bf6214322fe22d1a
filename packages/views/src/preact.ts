import { createElement } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type CallStatusProps, showCall } from './bridge/show-call.js';
import { type CallSnapshot, type ToolCall, toolCall } from './bridge/tool-call.js';
import type { ArgsOf, ToolResultOf, ToolName, View, ViewSnapshot } from './bridge/view.js';

/** What the view shows now. The component renders again after each change. */
export function useView<Result, Args, State>(
  view: View<Result, Args, State>,
): ViewSnapshot<Result, Args, State> {
  return useSnapshot(view);
}

/** The calls of a tool that the component makes. It renders again as they go on. A call ends with its component. */
export function useCall<Name extends ToolName>(
  view: Pick<View, 'call'>,
  name: Name,
): CallSnapshot<ToolResultOf<Name>> & { readonly call: ToolCall<ArgsOf<Name>, ToolResultOf<Name>> } {
  const call = useMemo(() => toolCall(view, name), [view, name]);
  useEffect(() => call.cancel, [call]);
  return { ...useSnapshot(call), call };
}

/**
 * Shows how far a call is, with a button that cancels it, and why it failed.
 *
 * @returns an element. Its type is not named, because the types of Preact bring those of the DOM into programs of servers
 */
export function CallStatus({ call, words }: CallStatusProps): object {
  const element = useRef<never>(null);
  useEffect(() => showCall(call, element.current!, words), [call, words]);
  return createElement('div', { ref: element });
}

function useSnapshot<Snapshot>(source: {
  readonly snapshot: Snapshot;
  onChange(listener: () => void): () => void;
}): Snapshot {
  const [snapshot, setSnapshot] = useState(source.snapshot);
  useEffect(() => {
    const take = () => setSnapshot(source.snapshot);
    // It may have changed between the first render and this effect.
    take();
    return source.onChange(take);
  }, [source]);
  return snapshot;
}
