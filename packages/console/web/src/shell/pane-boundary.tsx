import { Component, type ReactNode } from 'react';
import { Empty } from '../ui/empty.js';

/** Keeps the frame alive when a pane fails. */
export class PaneBoundary extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <Empty title="This pane has failed">
        <code>{error.message}</code>
        <button type="button" className="button" onClick={() => this.setState({ error: undefined as never })}>
          Try again
        </button>
      </Empty>
    );
  }
}
