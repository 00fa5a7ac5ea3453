import type { ViewId } from '../../contract/areas/index.ts'
import { t } from '../messages/t.svelte.ts'

/** What each read gives, as it stands in "This service does not offer …". A read that is added and has no words does not compile. */
const things = {
  'account.me': 'area.me',
  'servers.list': 'area.servers',
  'servers.read': 'area.server',
  'servers.read-config': 'area.config',
  'servers.status': 'area.status',
  'servers.stats': 'area.stats',
  'players.list': 'area.players',
  'players.stats': 'area.player-stats',
  'players.sessions': 'area.player-sessions',
  'files.list': 'area.files',
  'files.limits': 'area.file-limits',
  'files.jobs': 'area.file-jobs',
  'files.trash': 'area.trash',
  'files.search': 'area.file-search',
  'software.list': 'area.software-list',
  'software.versions': 'area.software-list',
  'extensions.list': 'area.extensions',
  'extensions.search': 'area.extensions',
  'access.list': 'area.access',
  'access.scopes': 'area.access',
  'notifications.list': 'area.notifications',
  'promocodes.list': 'area.promocodes',
} as const satisfies Record<ViewId, string>

/** That a read is not offered, in words that name what it gives; null for anything else, such as a write. */
export function offered(id: string | undefined): string | null {
  if (id === undefined || !Object.hasOwn(things, id)) return null
  return t('areas.not-offered', { area: t(things[id as ViewId]) })
}
