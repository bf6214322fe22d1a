import { count } from '../../../../json/src/text/count.js';
import type { CompileErrors, Overview } from '../../../src/api/overview-api.js';
import { Badge, SourceLink } from '../ui/pieces.js';
import { hrefOf } from './route.js';

/** How much is wrong with the newest version of the app: a number that every part of the page can show. */
export function countTroubles(overview: Overview | undefined): number {
  return (overview?.compileErrors?.count ?? 0) + (overview?.failure === undefined ? 0 : 1);
}

/** The number in red. Nothing, when there is nothing wrong. */
export function TroubleCount({ overview }: { overview: Overview | undefined }) {
  const troubles = countTroubles(overview);
  if (troubles === 0) return null;
  return (
    <Badge tone="bad" title="The newest version of the app has errors">
      <span className="trouble-count">{count(troubles, 'error')}</span>
    </Badge>
  );
}

/** Says above every pane why the newest version of the app does not run, until one does. */
export function Troubles({ overview }: { overview: Overview }) {
  const { app, failure, compileErrors } = overview;
  return (
    <>
      {compileErrors && <CompileTrouble app={app} errors={compileErrors} />}
      {failure !== undefined && <AppTrouble app={app} reason={failure} />}
    </>
  );
}

function CompileTrouble({
  app,
  errors: { count: number, first },
}: {
  app: Overview['app'];
  errors: CompileErrors;
}) {
  const errors = count(number, 'error');
  return (
    <section className="app-failure" role="alert" aria-label="The project does not compile">
      <strong>
        The newest version does not compile: {errors}.{' '}
        {app === 'running' ? 'The last good version runs.' : 'The app starts when there are no errors.'}
      </strong>
      <ul tabIndex={0} aria-label="Errors of the compilation">
        {first.map(({ code, message, location }, index) => (
          <li key={index}>
            {location !== undefined && <SourceLink location={location} />} <code>{code}</code> {message}
          </li>
        ))}
      </ul>
      {number > first.length && <a href={hrefOf('contract')}>All {errors}</a>}
    </section>
  );
}

function AppTrouble({ app, reason }: { app: Overview['app']; reason: string }) {
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
