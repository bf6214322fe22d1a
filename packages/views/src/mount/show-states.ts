import { type ConnectViewOptions, connectView } from '../bridge/connect-view.js';
import { drawProgress } from '../bridge/show-call.js';
import type { View, ViewProps } from '../bridge/view.js';

/** What a file of a view may export beside its component. */
export interface ViewMountOptions extends ConnectViewOptions {
  /** The texts of the states, in place of the English ones. */
  readonly words?: Partial<Words>;
  /** The component is drawn as soon as a part of the result is there. Lists are drawn as their items come without it. */
  readonly partial?: boolean;
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
export type Draw = (props: ViewProps, root: HTMLElement, fail: (error: unknown) => void) => void;

/**
 * Connects a built view, and shows the states before there is something to draw: a call that runs, one that failed or was
 * cancelled, and a result without anything in it. The component only ever sees results, or what has come of them so far.
 */
export function showStates(draw: Draw, { words, partial, ...options }: ViewMountOptions): View {
  const view = connectView(options);
  const texts = { ...english, ...words };
  const state = document.createElement('p');
  const root = document.createElement('main');
  let isBroken = false;

  const say = (text: string, isFailure = false) => {
    root.hidden = true;
    announce(isFailure);
    if (state.textContent !== text) state.textContent = text;
  };
  const announce = (isFailure: boolean) => {
    state.hidden = false;
    state.className = isFailure ? 'tw-state tw-failed' : 'tw-state';
    // Screen readers read a failure at once, and the other states when they have time.
    state.setAttribute('role', isFailure ? 'alert' : 'status');
  };
  const fail = (error: unknown) => {
    isBroken = true;
    say(texts.failed, true);
    view.log('error', String(error));
  };
  const showPart = () => {
    const { part, progress } = view.snapshot;
    if (!progress) return say(texts.loading);
    announce(false);
    drawProgress(state, { ...progress, text: progress.message ?? texts.loading });
    if (!isEmpty(part) && (partial || Array.isArray(part))) drawNow(part);
  };
  const drawNow = (result: unknown) => {
    root.hidden = false;
    const { args } = view.snapshot;
    try {
      draw({ result, args, view }, root, fail);
    } catch (error) {
      fail(error);
    }
  };
  const show = () => {
    if (isBroken) return;
    const { phase, result, text } = view.snapshot;
    if (phase === 'loading') showPart();
    else if (phase === 'failed') say(text || texts.failed, true);
    else if (phase === 'cancelled') say(text || texts.cancelled);
    else if (isEmpty(result)) say(texts.empty);
    else {
      state.hidden = true;
      drawNow(result);
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
