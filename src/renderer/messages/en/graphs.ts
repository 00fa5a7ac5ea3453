import { loaded } from '../base/loaded.ts'

export const graphs = loaded({
  'graphs.title': 'The last hour',
  'graphs.cpu': 'CPU',
  'graphs.memory': 'Memory',
  'graphs.players': 'Players',
  'graphs.summary': '{name}: now {now}, peak {most} in the last hour',
  'graphs.summary-past': '{name}: no current value, peak {most} in the last hour',
  'graphs.summary-none': '{name}: no data in the last hour',
  'graphs.start': 'Started',
  'graphs.stop': 'Stopped',
  'graphs.crash': 'Crashed',
  'graphs.empty': 'No data yet',
  'graphs.not-offered': 'This service doesn’t offer statistics',
  'graphs.unread': 'Statistics couldn’t be read',
  'graphs.empty-text': 'CPU, memory and players appear here while the server is online.',
} as const)
