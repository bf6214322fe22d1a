import { useEffect, useState } from 'react';
import type { OwnCall } from '../../../../../src/api/call-api.js';
import type { ConsoleEvent } from '../../../../../src/api/console-api.js';
import { onEvent } from '../../../data/live.js';
import { type Dialect, framePage, readPage } from './open-page.js';

/** A page that is ready to be shown, and when the change was heard of that made it. */
interface PageToShow {
  readonly url: string;
  readonly since: number;
}

type Globals = Parameters<typeof framePage>[1];

/**
 * The address of a page. It changes when the page does: when the server says so, or was started again. A page that cannot be
 * read meanwhile stays as it is.
 *
 * @param globals what a page of the dialect of OpenAI begins with
 */
export function usePage(
  uri: string,
  call: OwnCall,
  { dialect, globals }: { dialect: Dialect; globals: () => Globals },
): { page: PageToShow | undefined; problem: string | undefined } {
  const [page, setPage] = useState<PageToShow>();
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    let shown: string | undefined;
    let begun = 0;
    /** The number of the newest answer. Answers may come in another order than they were asked for. */
    let newest = 0;
    const load = async () => {
      const number = ++begun;
      const since = performance.now();
      try {
        const read = await readPage(uri, call, dialect);
        const text = JSON.stringify(read);
        if (number < newest) return;
        newest = number;
        if (text === shown) return;
        shown = text;
        const url = await framePage(read, dialect === 'openai' ? globals() : undefined).catch(
          (error: unknown) => {
            if (text === shown) shown = undefined;
            throw error;
          },
        );
        if (text !== shown) return;
        setProblem(undefined);
        setPage({ url, since });
      } catch (error) {
        if (number >= newest && shown === undefined) setProblem((error as Error).message);
      }
    };
    void load();
    const stop = onEvent((event) => {
      if (mayChange(event, uri, call.request.server)) void load();
    });
    return () => {
      newest = Infinity;
      shown = undefined;
      stop();
    };
  }, [uri, call, dialect, globals]);

  return { page, problem };
}

function mayChange(event: ConsoleEvent, uri: string, server: string): boolean {
  switch (event.type) {
    case 'page':
      return event.server === server && event.uri === uri;
    case 'surface':
      return event.server === server;
    case 'overview':
      return event.overview.app === 'running';
    default:
      return false;
  }
}
