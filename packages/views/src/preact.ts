import { useEffect, useState } from 'preact/hooks';
import type { View, ViewSnapshot } from './bridge/view.js';

/** What the view shows now. The component renders again after each change. */
export function useView<Result, Args, State>(
  view: View<Result, Args, State>,
): ViewSnapshot<Result, Args, State> {
  const [snapshot, setSnapshot] = useState(view.snapshot);
  useEffect(() => {
    const take = () => setSnapshot(view.snapshot);
    // The view may have changed between the first render and this effect.
    take();
    return view.onChange(take);
  }, [view]);
  return snapshot;
}
