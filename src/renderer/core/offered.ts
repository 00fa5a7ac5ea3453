import type { ViewId } from '../../contract/areas/index.ts'
import { t } from '../messages/t.svelte.ts'

/** What each read gives, and some of the rest, as it stands in "This service does not offer …". A read that is added and has no words does not compile. */
const things = {
  'account.me': 'area.me',
  'account.sessions': 'area.sessions',
  'account.second-factor': 'area.second-factor',
  'servers.list': 'area.servers',
  'servers.read': 'area.server',
  'servers.read-config': 'area.config',
  'servers.status': 'area.status',
  'servers.stats': 'area.stats',
  'players.list': 'area.players',
  'players.stats': 'area.player-stats',
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
  'console.history': 'area.history',
  'console.command': 'area.commands',
  'files.folder': 'area.new-folders',
} as const satisfies Record<ViewId, string> & Record<string, string>

/** That something is not offered, in words that name it; null for what has no words here, such as most writes. */
export function offered(id: string | undefined): string | null {
  if (id === undefined || !Object.hasOwn(things, id)) return null
  return t('areas.not-offered', { area: t(things[id as keyof typeof things]) })
}
