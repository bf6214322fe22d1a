import type { Frame } from './frame.js';

/** Where a view finds its state again after its page was loaded anew. */
export interface KeptState {
  load(): unknown;
  save(state: unknown): void;
}

/** ChatGPT keeps a state for each view. */
interface OpenAi {
  readonly widgetState?: unknown;
  setWidgetState?(state: unknown): unknown;
}

/**
 * Keeps the state of the view that shows one call. A host that keeps states does it. Else the storage of the frame does, and
 * in a frame without an origin its name does: a browser keeps the name while the frame lives. The state of another call is
 * never given. So the storage, which all frames of an origin share, is used only where the host says which call it is.
 *
 * @param call identifies the call whose result is shown; empty if the host does not say
 */
export function keepState(frame: Frame, call: string): KeptState {
  const key = `toolwright:${call}`;
  const { openai } = frame as Frame & { readonly openai?: OpenAi };
  if (openai?.setWidgetState)
    return {
      load: () => openai.widgetState ?? undefined,
      save: (state) => void openai.setWidgetState!(state),
    };
  return {
    load() {
      try {
        return JSON.parse((call && stored(frame, key)) || named(frame, key)) as unknown;
      } catch {
        return undefined;
      }
    },
    save(state) {
      const text = JSON.stringify(state) ?? 'null';
      frame.name = key + '\n' + text;
      if (call === '') return;
      try {
        frame.sessionStorage.setItem(key, text);
      } catch {
        // The frame has no storage. Its name has the state.
      }
    },
  };
}

function stored(frame: Frame, key: string): string | null {
  try {
    return frame.sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function named({ name }: Frame, key: string): string {
  return name.startsWith(`${key}\n`) ? name.slice(key.length + 1) : '';
}
