import { type ConnectViewOptions, connectView } from '../bridge/connect-view.js';
import type { View } from '../bridge/view.js';

/** What a file of a view may export beside its component. */
export interface ViewMountOptions extends ConnectViewOptions {
  /** The texts of the states, in place of the English ones. */
  readonly words?: Partial<Words>;
}

interface Words {
  loading: string;
  empty: string;
  cancelled: string;
  failed: string;
}

const english: Words = {
  loading: 'Loading…',
  empty: 'There is nothing to show.',
  cancelled: 'The call was cancelled.',
  failed: 'The view cannot be shown.',
};

/** Draws a result that is there. `fail` shows a text in its place. */
export type Draw = (view: View, root: HTMLElement, fail: (error: unknown) => void) => void;

/**
 * Connects a built view, and shows the states before there is something to draw: a call that runs, one that failed or was
 * cancelled, and a result without anything in it. The component only ever sees results.
 */
export function showStates(draw: Draw, { words, ...options }: ViewMountOptions): View {
  const view = connectView(options);
  const texts = { ...english, ...words };
  const state = document.createElement('p');
  const root = document.createElement('main');
  let isBroken = false;

  const say = (text: string, isFailure = false) => {
    root.hidden = true;
    state.hidden = false;
    state.className = isFailure ? 'tw-state tw-failed' : 'tw-state';
    // Screen readers read a failure at once, and the other states when they have time.
    state.setAttribute('role', isFailure ? 'alert' : 'status');
    if (state.textContent !== text) state.textContent = text;
  };
  const fail = (error: unknown) => {
    isBroken = true;
    say(texts.failed, true);
    view.log('error', String(error));
  };
  const show = () => {
    if (isBroken) return;
    const { phase, result, text } = view.snapshot;
    if (phase === 'loading') say(texts.loading);
    else if (phase === 'failed') say(text || texts.failed, true);
    else if (phase === 'cancelled') say(text || texts.cancelled);
    else if (isEmpty(result)) say(texts.empty);
    else {
      state.hidden = true;
      root.hidden = false;
      try {
        draw(view, root, fail);
      } catch (error) {
        fail(error);
      }
    }
  };

  document.body.append(state, root);
  addEventListener('error', ({ message }) => view.log('error', message));
  addEventListener('unhandledrejection', ({ reason }) => view.log('error', String(reason)));
  view.onChange(show);
  show();
  return view;
}

function isEmpty(result: unknown): boolean {
  return result == null || result === '' || (Array.isArray(result) && result.length === 0);
}
