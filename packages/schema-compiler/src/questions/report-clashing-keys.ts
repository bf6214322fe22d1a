import { makeDiagnostic } from '../diagnostics/diagnostic.js';
import type { CompiledQuestion } from './compile-questions.js';

/**
 * Reports every question whose key belongs to a different question, because at run time only the key
 * identifies a question. The same question may be asked in several places.
 */
export function reportClashingKeys(questions: readonly CompiledQuestion[]): CompiledQuestion[] {
  const first = new Map<string, CompiledQuestion>();
  return questions.map((question) => {
    const { key, location, diagnostics } = question;
    if (key === undefined) return question;
    const other = first.get(key);
    if (!other) first.set(key, question);
    if (!other || signatureOf(other) === signatureOf(question)) return question;
    const { file, line } = other.location;
    const detail = `The key "${key}" already belongs to another question, at ${file}:${line}.`;
    return {
      ...question,
      diagnostics: [...diagnostics, makeDiagnostic('TW_SCHEMA_QUESTION', location, detail)],
    };
  });
}

function signatureOf({ kind, schema }: CompiledQuestion): string {
  return `${kind} ${JSON.stringify(schema)}`;
}
