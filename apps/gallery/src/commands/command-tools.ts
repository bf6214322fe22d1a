import {
  Concurrency,
  Inject,
  type integer,
  McpService,
  McpTool,
  ToolContext,
  ToolError,
} from '@toolwright/core';
import { type RootedPath, runCommand } from '@toolwright/safe';
import { DATA_FOLDER } from '../data-folder.js';
import { COMMAND_LIMITS, type CommandLimits } from './command-limits.js';
import { type CommandName, commands, takingFiles } from './commands.js';
import { insideFolder } from './inside-folder.js';

export interface CommandOutput {
  /** 0 when the command succeeded; null when something else ended it. */
  exitCode: integer | null;
  stdout: string;
  stderr: string;
}

/** Commands without a shell, from a list, on files of one folder. */
@McpService()
export class CommandTools {
  constructor(
    @Inject(DATA_FOLDER) private readonly folder: RootedPath,
    @Inject(COMMAND_LIMITS) private readonly limits: CommandLimits,
  ) {}

  /**
   * Run a command on files of the data folder. Returns its exit code and what it printed, also when it fails. There is no
   * shell: wildcards, pipes and variables are plain text.
   * @param command what to run: ls lists files, uname tells the system, wc counts lines, words and bytes
   * @param args options, then paths below the data folder
   * @example {"command": "wc", "args": ["-l", "weather.csv"]}
   */
  @McpTool({ name: 'execute_command', annotations: { readOnlyHint: true, openWorldHint: false } })
  @Concurrency({ max: 4 })
  async executeCommand(
    command: CommandName,
    ctx: ToolContext,
    /** @maxItems 20 */ args: string[] = [],
  ): Promise<CommandOutput> {
    const isOption = (argument: string) => argument.startsWith('-');
    const files = args.filter((argument) => !isOption(argument));
    if (files.length > 0 && !takingFiles.has(command))
      throw new ToolError(`${command} takes no files. Send options alone.`);
    const inside = await Promise.all(files.map((file) => insideFolder(this.folder, file)));
    return runCommand(command, [...args.filter(isOption), ...inside], {
      ...this.limits,
      allow: commands,
      cwd: this.folder.root,
      signal: ctx.signal,
    });
  }
}
