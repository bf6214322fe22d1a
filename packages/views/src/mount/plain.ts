import type { ViewProps } from '../bridge/view.js';
import { type ViewMountOptions, showStates } from './show-states.js';

/** Draws into an element. It is called with each result, and after each change of the host, the arguments or the state. */
export type PlainView<Props = ViewProps> = (props: Props, root: HTMLElement) => void;

/** Shows a view that is a function. */
export function mountView(show: PlainView<never>, options: ViewMountOptions): void {
  showStates((props, root) => show(props as never, root), options);
}
