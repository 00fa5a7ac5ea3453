import { loaded } from '../loaded.ts'

export const finding = loaded({
  'finding.sort': 'Sort by',
  'finding.relevance': 'Best match',
  'finding.downloads': 'Most downloads',
  'finding.updated': 'Recently updated',
  'finding.newest': 'Newest',
  'finding.by': 'by {author}',
  'finding.downloaded': '{count} ↓',
  'finding.unreached': 'Can’t reach {catalog}. Check your internet connection.',
  'finding.unreached-there': 'The service can’t reach {catalog} right now.',
  'finding.changed': 'updated {age}',
  'finding.created': 'published {age}',
  'finding.more': 'Show more',
  'finding.most': 'The panel shows no more than {count} at once. Type more to narrow them down.',
  'finding.cut': 'There is more. Type more to narrow it down.',
} as const)
