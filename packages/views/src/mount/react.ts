import { Component, type ComponentType, type ReactNode, createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { type ViewMountOptions, showStates } from './show-states.js';

/** Shows a view that is a component of React. */
export function mountView(View: ComponentType<never>, options: ViewMountOptions): void {
  let drawn: Root | undefined;
  showStates((props, root, fail) => {
    drawn ??= createRoot(root);
    drawn.render(createElement(Boundary, { fail }, createElement(View, props as never)));
  }, options);
}

/** What a component throws is shown as a failure. */
class Boundary extends Component<{ fail(error: unknown): void; children?: ReactNode }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidCatch(error: unknown) {
    this.props.fail(error);
  }

  override render() {
    return this.state.isBroken ? null : this.props.children;
  }
}
