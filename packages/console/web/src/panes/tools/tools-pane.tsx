import { Lock } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import type { HiddenOperation, Kind, Operation } from '../../../../src/api/surface-api.js';
import { useIdentity, useOverview, useSurface } from '../../data/current.js';
import { go, hrefOf, useRoute } from '../../shell/route.js';
import { Badge, Chips, Empty, SearchField, Button } from '../../ui/pieces.js';
import { kindNames, wordsOf } from '../../ui/words.js';
import { Split } from '../../ui/split.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { OperationView } from './operation-view.js';
import './tools.css';

const kinds = Object.keys(kindNames) as Kind[];

/** What the server offers: on the left to choose from, on the right to be called. */
export default function ToolsPane() {
  const { data: surface, error } = useSurface();
  const { rest } = useRoute();
  const [kind, key] = rest;
  if (error) return <Empty title="The list cannot be shown">{error.message}</Empty>;
  if (!surface) return <p className="loading">Loading…</p>;
  const { operations } = surface;
  const chosen =
    key === undefined ? operations[0] : operations.find((each) => each.kind === kind && each.key === key);
  return (
    <Split
      name="tools"
      title="Tools, resources and prompts"
      back={hrefOf('tools')}
      isChosen={key !== undefined}
      side={
        <Choice operations={operations} hidden={surface.hidden} tokens={surface.tokens} chosen={chosen} />
      }
      detail={
        chosen ? (
          <OperationView key={`${chosen.kind} ${chosen.key}`} operation={chosen} />
        ) : (
          <NothingChosen wanted={operations.length > 0 ? key : undefined} hidden={surface.hidden.length} />
        )
      }
    />
  );
}

/** Says why there is nothing to call, and what to do about it. */
function NothingChosen({ wanted, hidden }: { wanted: string | undefined; hidden: number }) {
  const [, choose] = useIdentity();
  const { testUsers = [], access = [] } = useOverview() ?? {};
  const mayChoose = hidden > 0 && access.includes('call');
  if (wanted !== undefined)
    return (
      <Empty title={`${wanted} is not listed`}>
        It may have another name now, or this caller may not see it.
      </Empty>
    );
  if (hidden === 0)
    return (
      <Empty title="Nothing is listed for this caller">Add a method with @McpTool to a service class.</Empty>
    );
  return (
    <Empty title="Nothing is listed for this caller">
      <p>
        {hidden === 1 ? 'One is' : `${hidden} are`} hidden, because this caller may not use them.
        {mayChoose && ' Choose another caller at the top of the page.'}
      </p>
      {mayChoose && testUsers.length > 0 && (
        <div className="chips" role="group" aria-label="Call as a test user">
          {testUsers.map((user) => (
            <Button key={user.subject} className="chip" onClick={() => choose(user)}>
              Call as {user.subject}
            </Button>
          ))}
        </div>
      )}
    </Empty>
  );
}

interface ChoiceProps {
  readonly operations: readonly Operation[];
  readonly hidden: readonly HiddenOperation[];
  readonly tokens: number;
  readonly chosen: Operation | undefined;
}

function Choice({ operations, hidden, tokens, chosen }: ChoiceProps) {
  const [text, setText] = useState('');
  const [kind, setKind] = useState<Kind>();
  const words = wordsOf(useDeferredValue(text));
  const found = operations.filter((each) => (!kind || each.kind === kind) && fits(each, words));
  const present = kinds.filter((each) => operations.some((operation) => operation.kind === each));
  return (
    <>
      <div className="stack choice-head">
        <SearchField
          label="Search tools, resources and prompts"
          placeholder="Search"
          value={text}
          change={setText}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && found[0]) go('tools', found[0].kind, found[0].key);
            if (event.key === 'ArrowDown') {
              event.preventDefault();
              document.querySelector<HTMLElement>('.choice-list .virtual a')?.focus();
            }
          }}
        />
        {present.length > 1 && (
          <Chips
            label="Kinds"
            items={present}
            chosen={kind}
            choose={(each) => setKind(each === kind ? undefined : each)}
          >
            {(each) => (
              <>
                <span className={`dot ${each}`} aria-hidden /> {kindNames[each]}
              </>
            )}
          </Chips>
        )}
        <p className="faint" role="status">
          {found.length} of {operations.length}, about {tokens.toLocaleString('en')} tokens in all
        </p>
      </div>
      <div className="grow choice-list">
        <VirtualList
          items={found}
          keyOf={({ kind, key }) => `${kind} ${key}`}
          height={34}
          label="Tools, resources and prompts"
          row={(operation) => (
            <a
              className="choice"
              href={hrefOf('tools', operation.kind, operation.key)}
              aria-current={operation === chosen ? 'true' : undefined}
            >
              <span className={`dot ${operation.kind}`} aria-hidden />
              <span className="choice-name">{operation.name}</span>
              {operation.missingScopes && (
                <Lock
                  size={14}
                  role="img"
                  aria-label={`locked: lacks ${operation.missingScopes.join(', ')}`}
                />
              )}
              <span className="faint">{operation.tokens.toLocaleString('en')}</span>
            </a>
          )}
        />
      </div>
      {hidden.length > 0 && <Hidden hidden={hidden} />}
    </>
  );
}

function Hidden({ hidden }: { hidden: readonly HiddenOperation[] }) {
  return (
    <details className="hidden-operations">
      <summary>{hidden.length} hidden from this caller</summary>
      <ul>
        {hidden.map(({ kind, key, name, reason }) => (
          <li key={`${kind} ${key}`}>
            <strong>{name}</strong> <Badge>{kindNames[kind]}</Badge>
            <p className="faint">{reason}</p>
          </li>
        ))}
      </ul>
    </details>
  );
}

function fits({ name, key, title = '', description = '' }: Operation, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = `${name} ${key} ${title} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
