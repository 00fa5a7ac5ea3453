import type { Connection } from '../../../contract/bridge/values.ts'
import { panel } from '../panel.svelte.ts'
import { t } from '../../messages/t.svelte.ts'

export function connectionName(connection: Connection): string {
  return connection.kind === 'local' ? t('start.local') : connection.name
}

export function connectionWord(connection: Connection): string {
  switch (panel.reach(connection.id)) {
    case 'ready':
      return t('connection.ready')
    case 'starting':
      return t('connection.starting')
    case 'offline':
      return t('connection.offline')
    case 'signed-out':
      return t('connection.signed-out')
  }
}
