import { loaded } from '../base/loaded.ts'

export const graphs = loaded({
  'graphs.title-hour': 'Last hour',
  'graphs.title-day': 'Last 24 hours',
  'graphs.title-week': 'Last 7 days',
  'graphs.range': 'Time range',
  'graphs.hour': '1 h',
  'graphs.day': '24 h',
  'graphs.week': '7 d',
  'graphs.cpu': 'CPU',
  'graphs.memory': 'Memory',
  'graphs.players': 'Players',
  'graphs.summary': '{name}: now {now}, peak {most}',
  'graphs.summary-past': '{name}: no current value, peak {most}',
  'graphs.summary-none': '{name}: no data',
  'graphs.start': 'Started',
  'graphs.stop': 'Stopped',
  'graphs.crash': 'Crashed',
  'graphs.empty': 'CPU, memory and players appear here while the server is online.',
  'graphs.unread': 'Statistics couldn’t be read',
} as const)
