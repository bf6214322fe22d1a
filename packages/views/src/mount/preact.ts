import { Component, type ComponentChildren, type ComponentType, createElement, render } from 'preact';
import type { ViewProps } from '../bridge/view.js';
import { type ViewMountOptions, showStates } from './show-states.js';

/** Shows a view that is a component of Preact. */
export function mountView(View: ComponentType<never>, options: ViewMountOptions): void {
  showStates((props, root, fail) => {
    const shown = createElement(View as ComponentType<ViewProps>, props);
    render(createElement(Boundary, { fail }, shown), root);
  }, options);
}

/** What a component throws is shown as a failure. */
class Boundary extends Component<{ fail(error: unknown): void; children?: ComponentChildren }> {
  override state = { isBroken: false };

  override componentDidCatch(error: unknown) {
    this.setState({ isBroken: true });
    this.props.fail(error);
  }

  override render() {
    return this.state.isBroken ? null : this.props.children;
  }
}
