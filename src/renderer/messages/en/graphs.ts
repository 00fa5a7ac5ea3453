import { loaded } from '../loaded.ts'

export const graphs = loaded({
  'graphs.title': 'Last hour',
  'graphs.cpu': 'CPU',
  'graphs.memory': 'Memory',
  'graphs.players': 'Players',
  'graphs.summary': '{name}: now {now}, peak {most} in the last hour',
  'graphs.summary-past': '{name}: no current value, peak {most} in the last hour',
  'graphs.summary-none': '{name}: no data in the last hour',
  'graphs.start': 'Started',
  'graphs.stop': 'Stopped',
  'graphs.crash': 'Crashed',
  'graphs.empty': 'CPU, memory and players appear here while the server is online.',
  'graphs.unread': 'Statistics couldn’t be read',
} as const)
