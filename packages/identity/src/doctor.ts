export { diagnoseSignIn, type DiagnoseOptions } from './doctor/diagnose-sign-in.js';
export { listenForAnswer, type AnswerListener } from './doctor/listen-for-answer.js';
export { diagnosisText, type Diagnosis, type StepReport } from './doctor/diagnosis.js';
export {
  signInProblems,
  type SignInProblemCode,
  type SignInStep,
  type ResponsibleParty,
} from './doctor/problems.js';
export type { RecordedRequest } from '@toolwright/json';
export type { OpenPage } from './doctor/authorize.js';
