import {
  type AddCommand,
  addAudit,
  addGrants,
  addKeys,
  addSubject,
  addTasks,
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
import { addLogin, addLogout } from './login.js';
import { addMigrate } from './migrate.js';
import { addMount } from './mount.js';
import { addNew } from './new.js';
import { addPublish } from './publish.js';
import { addRecord, addReplay } from './replay.js';
import { addCall, addList, addPrompt, addRead } from './remote.js';
import { addRun } from './run.js';
import { addServe } from './serve.js';
import { addStart } from './start.js';
import { addUsage } from './usage.js';
import { addViews } from './views.js';

/** The commands after it stand under this title in the help. */
const stage =
  (title: string): AddCommand =>
  (program) =>
    void program.commandsGroup(`${title}:`);

/**
 * Every command, in the order of the help: by stages, as an app lives. A new command is a file of this folder, a line here, and
 * its part of docs/cli.md. Commands of packages that an app installs come in with `tasks` and `audit`: the package brings them.
 */
export const commands: AddCommand[] = [
  stage('Make'),
  addNew,
  addInit,
  addImport,
  addMigrate,
  addClient,
  stage('Try'),
  addDev,
  addRun,
  addList,
  addCall,
  addRead,
  addPrompt,
  addLogin,
  addLogout,
  addMount,
  addDoctor,
  addInstall,
  addUninstall,
  stage('Check'),
  addInspect,
  addExplain,
  addLint,
  addViews,
  addLock,
  addDiff,
  addRecord,
  addReplay,
  stage('Run'),
  addBuild,
  addStart,
  addServe,
  addPublish,
  stage('Operate'),
  addWorker,
  addTasks,
  addKeys,
  addGrants,
  addSubject,
  addAudit,
  addUsage,
  stage('This command'),
  addCompletion,
];
