import {
  type AddCommand,
  addAudit,
  addGrants,
  addKeys,
  addSubject,
  addTasks,
  addUsage,
  addWorker,
} from '@toolwright/operate';
import { addBuild } from './build.js';
import { addClient } from './client.js';
import { addCompletion } from './completion.js';
import { addDev } from './dev.js';
import { addDoctor } from './doctor.js';
import { addImport } from './import.js';
import { addInit } from './init.js';
import { addExplain, addInspect } from './inspect.js';
import { addInstall, addUninstall } from './install.js';
import { addLint } from './lint.js';
import { addDiff, addLock } from './lock.js';
import { addMigrate } from './migrate.js';
import { addMount } from './mount.js';
import { addNew } from './new.js';
import { addPublish } from './publish.js';
import { addCall, addList } from './remote.js';
import { addRun } from './run.js';
import { addServe } from './serve.js';
import { addStart } from './start.js';
import { addViews } from './views.js';

/**
 * Every command, in the order of the help. A new command is a file of this folder, a line here, and its part of
 * docs/cli.md. Commands of packages that an app installs come in with `tasks` and `audit`: the package brings them.
 */
export const commands: AddCommand[] = [
  addDev,
  addRun,
  addBuild,
  addStart,
  addServe,
  addWorker,
  addTasks,
  addKeys,
  addGrants,
  addSubject,
  addInspect,
  addExplain,
  addList,
  addCall,
  addClient,
  addDoctor,
  addLock,
  addDiff,
  addAudit,
  addUsage,
  addNew,
  addInit,
  addImport,
  addMount,
  addMigrate,
  addInstall,
  addUninstall,
  addLint,
  addViews,
  addPublish,
  addCompletion,
];
