import { systemClock } from '@toolwright/core/ports';
import { MemoryTaskQueue } from '@toolwright/testing';
import { describeApprovedTasks } from './support/describe-approved-tasks.js';

describeApprovedTasks('approved calls on a queue in memory', () => new MemoryTaskQueue(systemClock));
