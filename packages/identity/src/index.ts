export { approvalPage, extension } from './approval/extension.js';
export type { ApprovalsOptions } from './approval/approval-options.js';
