import type { Method } from '../engine.js';
import { completionComplete } from '../methods/completion-complete.js';
import { loggingSetLevel } from '../methods/logging-set-level.js';
import { ping } from '../methods/ping.js';
import { promptsGet, promptsList } from '../methods/prompts.js';
import { resourcesList, resourcesRead, resourceTemplatesList } from '../methods/resources.js';
import { resourcesSubscribe, resourcesUnsubscribe } from '../methods/resources-subscribe.js';
import { serverDiscover } from '../methods/server-discover.js';
import { subscriptionsListen } from '../methods/subscriptions-listen.js';
import { tasksCancel } from '../methods/tasks-cancel.js';
import { tasksGet } from '../methods/tasks-get.js';
import { tasksUpdate } from '../methods/tasks-update.js';
import { requestedTaskMethods } from '../methods/requested-tasks.js';
import { toolsCall, toolsList } from '../methods/tools.js';

const shared = [
  toolsCall,
  toolsList,
  promptsList,
  promptsGet,
  resourcesList,
  resourceTemplatesList,
  resourcesRead,
  completionComplete,
];

const byName = (methods: readonly Method[]): ReadonlyMap<string, Method> =>
  new Map(methods.map((method) => [method.name, method]));

export const statelessMethods = byName([
  ...shared,
  serverDiscover,
  subscriptionsListen,
  tasksGet,
  tasksUpdate,
  tasksCancel,
]);
/** `initialize` is not in this table: it opens the session in which these methods run. */
export const statefulMethods = byName([
  ...shared,
  ping,
  loggingSetLevel,
  resourcesSubscribe,
  resourcesUnsubscribe,
  ...requestedTaskMethods,
]);
