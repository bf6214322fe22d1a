const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** True if only programs of this machine answer at this URL. */
export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.has(hostname);
