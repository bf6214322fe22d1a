import { showHiddenInJson } from '@toolwright/json';
import { type DiagnoseOptions, diagnoseSignIn } from './diagnose-sign-in.js';
import { diagnosisText } from './diagnosis.js';
import { listenForAnswer } from './listen-for-answer.js';

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
    const options: DiagnoseOptions = {
      ...values,
      ...(scope !== undefined && { scopes: scope.split(/\s+/).filter(Boolean) }),
      ...(listener && { redirectUri: listener.redirectUri, openPage: listener.openPage }),
    };
    const diagnosis = await diagnoseSignIn(url, options);
    console.out(
      json ? `${showHiddenInJson(JSON.stringify(diagnosis, null, 2))}\n` : diagnosisText(diagnosis),
    );
    return diagnosis.fault ? 1 : 0;
  } finally {
    listener?.close();
  }
}
