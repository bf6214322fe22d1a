/** Is called when a session has ended. It may be async. */
export type SessionEndListener = (event: { readonly sessionId: string }) => void | Promise<void>;
