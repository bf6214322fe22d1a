// Properties of `globalThis`. A module that is loaded before the application leaves something there, as those of
// `toolwright dev` do. It shares nothing else with the application, which may have other copies of our packages.

/** The logger of servers without one of their own. */
export const DEFAULT_LOGGER = Symbol.for('toolwright.defaultLogger');

/** A function that is called with each new server. */
export const SERVER_OBSERVER = Symbol.for('toolwright.serverObserver');

/** A function that gets the errors whose text callers do not see. */
export const FAILURE_OBSERVER = Symbol.for('toolwright.failureObserver');

/** A function that is called with each page of a view that is served. */
export const PAGE_OBSERVER = Symbol.for('toolwright.pageObserver');

/** A function that watches folders. Packages that read folders call it before they read. */
export const FOLDER_OBSERVER = Symbol.for('toolwright.folderObserver');

/**
 * True in a process that looks at a server and serves nobody, as `toolwright explain --app` does. Nothing that acts by itself
 * begins there: tasks, schedules, audit logs.
 */
export const ONLY_INSPECTED = Symbol.for('toolwright.onlyInspected');
