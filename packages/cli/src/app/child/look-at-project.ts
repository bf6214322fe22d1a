import { type McpServer, ConfigurationError, isToolwrightError } from '@toolwright/core';
import { CommandError } from '@toolwright/operate/terminal';
import type { AppReport, LookQuestion, LookReport } from '../app-snapshot.js';
import { describeFailedStart } from './describe-failure.js';
import { serveNobody } from './serve-nobody.js';
import { acceptUpstreams, snapshotServers } from './snapshot-servers.js';
import { ANY_APP, standInServer } from './stand-in-server.js';

/** Looks at the classes of a project, or at a gateway, and says what it has seen. Then the process ends, whatever they hold open. */
async function look(question: LookQuestion): Promise<LookReport> {
  const needsApp: string[] = [];
  const server: McpServer =
    'config' in question
      ? await (await import('./open-gateway.js')).openGateway(question.config)
      : await standInServer({ ...question, needsApp: (sentence) => needsApp.push(sentence) });
  try {
    if ('config' in question && question.accepts) await acceptUpstreams([server]);
    const snapshot = await snapshotServers([server], undefined, [ANY_APP]);
    return { is: 'seen', snapshot, needsApp };
  } finally {
    await server.close(0);
  }
}

function failed(error: unknown): AppReport {
  const isPlain = error instanceof CommandError || isToolwrightError(error);
  return {
    is: 'failed',
    message: isPlain ? (error as Error).message : describeFailedStart(error),
    isPlain,
    ...(error instanceof ConfigurationError && { problems: error.problems }),
  };
}

const say = (report: AppReport, then?: () => void) => process.send?.(report, undefined, {}, then);

// A file with a class may also make a server and serve it.
serveNobody(() => undefined);
// The command has ended.
process.once('disconnect', () => process.exit());
process.on('uncaughtExceptionMonitor', (error) => say(failed(error)));
process.once('message', (question: LookQuestion) => {
  void look(question)
    .catch(failed)
    .then((report) => say(report, () => process.exit(0)));
});
