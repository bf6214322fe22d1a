import type { Principal } from '../base/request-context.js';
import type { ServerStop } from './limits/running-work.js';
import type { Call } from './operation/operation.js';

/** Who may approve a call on a page. */
export interface ApproverRule {
  /** The scope that the person needs. Without `scope` and `notCaller`, only the caller may approve. */
  scope?: string;
  /** True if the caller may not approve (four eyes). Default false; always true where more than one has to approve. */
  notCaller?: boolean;
  /** How many different people have to approve. Default 1; at most 20. The first refusal ends the question. */
  count?: number;
}

/** A call that a person has to approve on a page. */
export interface Approval {
  readonly call: Call;
  /** The question, without sensitive values. */
  readonly message: string;
  /** The arguments as the client sent them, without sensitive values. */
  readonly shown: Readonly<Record<string, unknown>>;
  /**
   * What the approval is bound to: a digest of the server, the operation and its contract, the caller, and the arguments,
   * sensitive values included.
   */
  readonly binding: string;
  readonly approver: ApproverRule;
  /**
   * Runs something that waits for a person. Meanwhile the deadline does not run, and others may use the call's slots.
   *
   * @param run when the server stops, it ends the round on 2026-07-28 with its question
   */
  wait<T>(run: (stop: ServerStop) => Promise<T>): Promise<T>;
}

/**
 * Why a call was not approved.
 * - `unsupported`: the client cannot show a page, or its caller is anonymous
 * - `refused`: somebody said no, closed the page, or did not answer in time
 */
export interface ApprovalRefusal {
  readonly refused: 'unsupported' | 'refused';
  /** The text for the model. */
  readonly text: string;
}

/** Who approved a call, each of them once, or why nobody did. */
export type ApprovalAnswer = { readonly approvedBy: readonly Principal[] } | ApprovalRefusal;

/**
 * Has a person approve a call on a page. It resolves with an approval at most once for each approval that a person gave. On
 * 2026-07-28 it may end the round with a question, by rejecting as `ctx.elicit` does.
 */
export type AskForApproval = (approval: Approval) => Promise<ApprovalAnswer>;
