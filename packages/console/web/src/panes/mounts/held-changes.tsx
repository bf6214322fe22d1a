import type { HeldText } from '../../../../../json/src/base/shown-mounts.js';
import { ChangeButton, StateTable } from '../state/state-table.js';

interface Props {
  readonly on: { readonly server: string };
  readonly changes: readonly HeldText[];
  readonly count: number;
}

/** What servers behind have changed, and clients do not get before somebody accepts it. */
export function HeldChanges({ on, changes, count }: Props) {
  return (
    <StateTable
      title="Changes that are held back"
      count={count}
      empty="None. Clients get what was accepted."
      columns={['Mount', 'Of', 'Place', 'Accepted', 'Now']}
      rows={changes.map((change, index) => {
        const { mount, kind, name, path, before, after, digest } = change;
        return {
          key: `${mount} ${kind} ${name} ${path}`,
          cells: [
            mount,
            `${kind} ${name}`,
            <code>{path}</code>,
            before !== undefined && <del className="held-words">{before}</del>,
            after !== undefined && <ins className="held-words">{after}</ins>,
          ],
          // The button accepts the form that is shown here: its digest goes with it. All places of a form are one form.
          action: isFirst(changes, index) && (
            <ChangeButton
              method="acceptUpstream"
              params={{ ...on, mount, digest }}
              label="Accept"
              of={`${kind} ${name} of ${mount}`}
            />
          ),
        };
      })}
    />
  );
}

function isFirst(changes: readonly HeldText[], index: number): boolean {
  const { mount, kind, name } = changes[index]!;
  const first = changes.findIndex((each) => each.mount === mount && each.kind === kind && each.name === name);
  return first === index;
}
