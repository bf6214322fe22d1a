import { showHiddenInJson } from '@toolwright/json';
import { type DiagnoseOptions, type SignedIn, diagnoseSignIn, trySignIn } from './diagnose-sign-in.js';
import { diagnosisText } from './diagnosis.js';
import { type AnswerListener, listenForAnswer } from './listen-for-answer.js';

/** The options of `toolwright doctor`, as the command line has read them. */
export interface DoctorValues {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly clientDocument?: string;
  /** Scopes with blanks between them. */
  readonly scope?: string;
  readonly tool?: string;
  readonly json?: boolean;
  /** False: no person signs in, and the diagnosis ends before. */
  readonly signIn?: boolean;
}

interface CommandConsole {
  out(text: string): void;
  err(text: string): void;
}

/**
 * Runs the diagnosis and writes it.
 *
 * @returns the exit code: 0 if no step failed, 1 if one did
 */
export async function runDoctor(
  url: string,
  { json, signIn = true, scope, ...values }: DoctorValues,
  console: CommandConsole,
): Promise<number> {
  const show = (page: string) => console.err(`Open this page and sign in:\n\n  ${page}\n\n`);
  const listener = signIn ? await listenForAnswer(show) : undefined;
  try {
    const diagnosis = await diagnoseSignIn(url, optionsOf({ ...values, scope }, listener));
    console.out(
      json ? `${showHiddenInJson(JSON.stringify(diagnosis, null, 2))}\n` : diagnosisText(diagnosis),
    );
    return diagnosis.failure ? 1 : 0;
  } finally {
    listener?.close();
  }
}

function optionsOf(
  { scope, ...values }: DoctorValues,
  listener: AnswerListener | undefined,
): DiagnoseOptions {
  return {
    ...values,
    ...(scope !== undefined && { scopes: scope.split(/\s+/).filter(Boolean) }),
    ...(listener && { redirectUri: listener.redirectUri, openPage: listener.openPage }),
  };
}

/**
 * Signs in for somebody who keeps the token, as `toolwright login` does. If it does not work, the diagnosis is written.
 *
 * @param show shows a person the page of the issuer
 * @returns what to keep; `undefined` if it did not work, or the server lets anybody in
 */
export async function runSignIn(
  url: string,
  values: DoctorValues,
  { err, show }: Pick<CommandConsole, 'err'> & { show(page: string): void },
): Promise<SignedIn | undefined> {
  const listener = await listenForAnswer(show);
  try {
    const plan = { clientName: 'Toolwright', stays: true };
    const { diagnosis, signedIn } = await trySignIn(url, optionsOf(values, listener), plan);
    if (diagnosis.failure) err(diagnosisText(diagnosis));
    else if (!signedIn) err('The server lets anybody in, so there is no token to keep.\n');
    return signedIn;
  } finally {
    listener.close();
  }
}
