import { useSyncExternalStore } from 'react';
import type { View, ViewSnapshot } from './bridge/view.js';

/** What the view shows now. The component renders again after each change. */
export function useView<Result, Args, State>(
  view: View<Result, Args, State>,
): ViewSnapshot<Result, Args, State> {
  return useSyncExternalStore(view.onChange, () => view.snapshot);
}
