import type { SkillState } from '../../../../../json/src/base/shown-records.js';
import { useServerState } from '../../data/current.js';
import { Empty, Missing } from '../../ui/pieces.js';
import { ChangeButton, StateTable } from '../state/state-table.js';
import './skills.css';

/** The skills of a server, who may see them, and their files with the digests that clients check. */
export default function SkillsPane() {
  const { on, state, error } = useServerState();
  if (!state || !on) return <Missing what="The skills" error={error} />;
  const { skills = [], counts } = state;
  if (skills.length === 0)
    return (
      <Empty title="This server has no skills">
        The option skills of createMcpServer serves folders with a SKILL.md.
      </Empty>
    );
  return (
    <div className="pane-of-lists" tabIndex={0} role="region" aria-label="Skills">
      <p>
        <ChangeButton method="reloadSkills" params={on} label="Read again" of="the folders of skills" />
      </p>
      <StateTable
        title="Skills"
        count={counts.skills ?? skills.length}
        columns={['Skill', 'For what', 'Who may see it', 'Files', 'Bytes']}
        rows={skills.map((skill) => ({
          key: skill.uri,
          cells: [skill.name, skill.description, audienceOf(skill), ...sizeOf(skill)],
        }))}
      />
      {skills.map(({ uri, name, files }) =>
        files === 'dynamic' ? null : (
          <StateTable
            key={uri}
            title={`Files of ${name}`}
            count={files.length}
            columns={['File', 'Bytes', 'Digest']}
            rows={files.map((file) => ({
              key: file.uri,
              cells: [file.uri, file.size, <code className="skill-digest">{file.digest}</code>],
            }))}
          />
        ),
      )}
    </div>
  );
}

function audienceOf({ scopes, isForSome }: SkillState): string {
  const who = isForSome ? 'some callers' : 'everybody';
  return scopes.length === 0 ? who : `${who} with ${scopes.join(', ')}`;
}

function sizeOf({ files }: SkillState): (string | number)[] {
  if (files === 'dynamic') return ['written by a method', ''];
  return [files.length, files.reduce((sum, { size }) => sum + size, 0)];
}
