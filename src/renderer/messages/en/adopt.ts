import { loaded } from '../base/loaded.ts'

/** Servers in containers that others made. */
export const adopt = loaded({
  'adopt.entry': 'Containers that are already there',
  'adopt.text':
    'Wheelhouse shows the console of such a server, starts and stops it, and manages its files and backups. The container stays as it is.',
  'adopt.do': 'Adopt',
  'adopt.do-name': 'Adopt {name}',
  'adopt.port': 'Port {port}',
  'adopt.runs': 'Running',
  'adopt.not-runs': 'Stopped',
  'adopt.decides':
    'This server runs in the container {container}, which others made. The container decides its software, version, memory and port, and may write some game settings at each start: change its variables where it was made, and recreate it.',
  'adopt.leave': 'Stop managing',
  'adopt.leave-text':
    'The container {container} and its files stay as they are, and it runs on if it is running. What is kept here of the server is deleted permanently: backups, trash, console, schedules and access.',
  'adopt.leave-title': 'Stop managing {name}?',
  'adopt.left': '{name} is no longer managed here. Its container and its files stayed.',
} as const)
