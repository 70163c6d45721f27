import { type CommandContext, isEnabled } from './command';
import { COMMANDS } from './list';

/** Runs a command, if it is enabled. */
export function perform(id: string, context: CommandContext): void {
  const command = COMMANDS.find((candidate) => candidate.id === id);
  if (command && isEnabled(command, context)) command.run(context);
}
