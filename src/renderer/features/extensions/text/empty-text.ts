import type { Server } from '../../../../contract/bridge/values.ts'
import { t } from '../../../messages/t.svelte.ts'
import { folderOf, nounOf } from './noun.ts'

export function emptyText(server: Server | null | undefined): string {
  if (folderOf(nounOf(server)) !== null) return t('extensions.empty-text')
  const isUnknown = server?.software?.id === 'custom' && !server.software.loadsAs
  return t(isUnknown ? 'extensions.empty-unknown' : 'extensions.empty-unfit')
}
