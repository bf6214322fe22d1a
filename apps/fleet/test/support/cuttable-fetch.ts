/** A `fetch` whose open responses a test can cut, as a network does that fails. */
export class CuttableFetch {
  readonly #open = new Set<AbortController>();

  readonly fetch: typeof fetch = async (input, init = {}) => {
    const controller = new AbortController();
    const signal = init.signal ? AbortSignal.any([init.signal, controller.signal]) : controller.signal;
    const response = await fetch(input, { ...init, signal });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (isStream) this.#open.add(controller);
    return response;
  };

  /** Breaks the streams that are open. Returns how many there were. */
  cut(): number {
    const cut = [...this.#open];
    this.#open.clear();
    for (const controller of cut) controller.abort(new Error('The network failed.'));
    return cut.length;
  }
}
