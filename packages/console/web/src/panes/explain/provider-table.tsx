import type { Explanation, ProviderVerdict } from '../../../../src/api/explain-api.js';
import { Badge, type Tone } from '../../ui/badge.js';

const tones: Readonly<Record<ProviderVerdict, Tone>> = { kept: 'good', weakened: 'warn', lost: 'bad' };

/** What client libraries make of the schema, side by side. */
export function ProviderTable({ explanation: { providers, constructs } }: { explanation: Explanation }) {
  return (
    <section aria-labelledby="explain-providers">
      <h3 id="explain-providers">What providers keep</h3>
      <p className="faint">
        Weakened: the model can write every valid argument, but the rule does not reach it as a rule. Lost: it
        cannot write some valid arguments. The server checks every rule in any case.
      </p>
      {constructs.length === 0 ? (
        <p>All tested client libraries keep this schema as it is.</p>
      ) : (
        <div className="provider-scroll" tabIndex={0} role="region" aria-label="Verdicts by library">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Place</th>
                <th scope="col">Construct</th>
                {providers.map((provider) => (
                  <th key={provider} scope="col">
                    {provider}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {constructs.map(({ pointer, construct, verdicts }) => (
                <tr key={`${pointer} ${construct}`}>
                  <td>
                    <code>{pointer || '/'}</code>
                  </td>
                  <td>{construct}</td>
                  {verdicts.map((verdict, index) => (
                    <td key={providers[index]}>
                      <Badge tone={tones[verdict]}>{verdict}</Badge>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
