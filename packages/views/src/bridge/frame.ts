/**
 * The parts of a browser that the bridge uses. They are declared here, and not taken from the types of the DOM, so that the
 * tests can run the bridge in Node.js against the official host.
 */
export interface Frame {
  readonly parent: { postMessage(message: unknown, targetOrigin: string): void };
  /** The name of the frame. A browser keeps it when the frame loads its page again. */
  name: string;
  /** It throws in a frame without an origin of its own. */
  readonly sessionStorage: { getItem(key: string): string | null; setItem(key: string, value: string): void };
  readonly document: { readonly documentElement: RootElement; readonly head: ParentElement } & ElementMaker;
  readonly ResizeObserver: new (changed: () => void) => { observe(element: unknown): void };
  addEventListener(type: 'message', listener: (event: FrameMessage) => void): void;
  removeEventListener(type: 'message', listener: (event: FrameMessage) => void): void;
}

export interface FrameMessage {
  readonly source: unknown;
  readonly origin: string;
  readonly data: unknown;
}

interface ElementMaker {
  createElement(name: string): { textContent: string | null };
}

interface ParentElement {
  append(child: unknown): void;
}

export interface RootElement {
  lang: string;
  readonly dataset: Record<string, string | undefined>;
  readonly style: {
    colorScheme: string;
    height: string;
    setProperty(name: string, value: string): void;
  };
  getBoundingClientRect(): { readonly width: number; readonly height: number };
}
