import type { Overview } from '../../../src/api/overview-api.js';

interface Props {
  readonly app: Overview['app'];
  readonly reason: string;
}

/** Says why the newest version of the app does not run, until one does. */
export function AppFailure({ app, reason }: Props) {
  return (
    <section className="app-failure" role="alert" aria-label="The app has failed">
      <strong>
        {app === 'stopped'
          ? 'The app does not run. It starts again with your next change.'
          : 'The newest version does not start. The last good version runs.'}
      </strong>
      <pre tabIndex={0}>{reason}</pre>
    </section>
  );
}
