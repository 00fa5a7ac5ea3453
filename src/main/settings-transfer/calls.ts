import type { SettingsPreview } from '../../contract/bridge/settings-transfer-calls.ts'
import type { Connections, RecordUser } from '../accounts/connections.ts'
import { type Identity, sameUser } from '../accounts/identity.ts'
import type { AreaHandlers } from '../bridge/handlers.ts'
import type { ChoicesStore } from '../desktop/choices.ts'
import type { Ports } from '../base/ports.ts'
import type { SettingsStore } from '../databases/settings.ts'
import type { TransferManager } from '../transfers/transfers.ts'
import { type SettingsFile, readMoved, usable, writeMoved } from './settings-file.ts'

export interface SettingsTransferDependencies {
  ports: Ports
  connections: Connections
  settings: SettingsStore
  choices: ChoicesStore
  transfers: Pick<TransferManager, 'saveHere'>
}

export function settingsTransferHandlers(
  rooms: SettingsTransferDependencies,
): AreaHandlers<'settings-transfer'> {
  const { ports, connections, settings, choices, transfers } = rooms
  return {
    async 'settings-transfer.save'() {
      const { tray, alerts } = await choices.read()
      const moved = {
        connections: connections.identities().map(({ baseUrl, user }) => ({ address: baseUrl, user })),
        settings: await settings.read(),
        // Elsewhere they are not the user's choice.
        desktop: ports.way === 'electron' ? { tray, alerts } : null,
      }
      return { path: await transfers.saveHere('wheelhouse-settings.json', writeMoved(moved)) }
    },
    'settings-transfer.preview': ({ text }) => {
      const moved = readMoved(text)
      return {
        connections: moved.connections.map((one) => ({
          address: usable(one.address) ?? one.address,
          user: one.user && { name: one.user.name, email: one.user.email },
          outcome: outcomeOf(one, connections),
        })),
        settings: moved.settings,
        desktop: moved.desktop !== null,
      }
    },
    async 'settings-transfer.bring'({ text, settings: wanted }) {
      const moved = readMoved(text)
      let added = 0
      for (const one of moved.connections) {
        const baseUrl = usable(one.address)
        if (baseUrl === null || isKnown(connections.identities(), baseUrl, one.user)) continue
        connections.addSignedOut(baseUrl, one.user)
        added++
      }
      if (wanted && moved.settings) await settings.change(moved.settings)
      if (wanted && moved.desktop && ports.way === 'electron') await choices.change(moved.desktop)
      return { added }
    },
  }
}

function outcomeOf(
  { address, user }: SettingsFile['connections'][number],
  connections: Connections,
): SettingsPreview['connections'][number]['outcome'] {
  const baseUrl = usable(address)
  if (baseUrl === null) return 'unusable'
  return isKnown(connections.identities(), baseUrl, user) ? 'known' : 'new'
}

function isKnown(all: readonly Identity[], baseUrl: string, user: RecordUser | null): boolean {
  return all.some((held) => {
    if (held.baseUrl !== baseUrl) return false
    return user && held.user ? sameUser(held.user, { kind: 'signed-out' }, user) : !user && !held.user
  })
}
