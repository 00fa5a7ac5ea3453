import type { PowerAction, Server, ServerRef } from '../../../contract/bridge/values.ts'
import { power, powerIcons } from '../../catalog/servers/server-menu.ts'
import { panel } from '../../core/panel.svelte.ts'
import { mayPower, powerActions, powerReason } from '../../core/servers/power.ts'
import { statusKind } from '../../core/servers/status.ts'
import { t } from '../../messages/t.svelte.ts'
import { isNamed, type PaletteEntry, type PaletteServer } from '../../catalog/palette-entry.ts'

/** Killing has its own button and confirmation. */
const gentle = powerActions.filter((action): action is Exclude<PowerAction, 'kill'> => action !== 'kill')

/** Servers whose power is offered by their names. */
const SERVERS_MOST = 20

const reasonOf = (action: PowerAction, { connectionId }: ServerRef, server: Server) =>
  powerReason(action, statusKind(server.status), server.role, panel.reach(connectionId))

export function powerEntries(here: PaletteServer): PaletteEntry[] {
  return gentle
    .filter((action) => mayPower(action, here.server.role))
    .map((action) => ({
      id: `power-${action}`,
      group: 'here',
      name: t(`power.${action}`),
      icon: powerIcons[action],
      reason: reasonOf(action, here, here.server),
      choose: () => void power(here, action),
    }))
}

/** What is possible now, as in "stop meadow". */
export function powerByName(typed: string): PaletteEntry[] {
  return (panel.connections ?? [])
    .flatMap(({ id: connectionId }) =>
      (panel.servers(connectionId).value?.items ?? [])
        .filter(({ name }) => isNamed(name, typed))
        .map((server) => ({ connectionId, serverId: server.id, server })),
    )
    .slice(0, SERVERS_MOST)
    .flatMap(({ server, ...ref }) =>
      gentle
        .filter((action) => reasonOf(action, ref, server) === null)
        .map((action) => ({
          id: `power-${action}-${ref.connectionId}-${ref.serverId}`,
          group: 'servers',
          name: t(`palette.${action}`, { name: server.name }),
          icon: powerIcons[action],
          choose: () => void power(ref, action),
        })),
    )
}
