import { z } from 'zod'
import { asOneLine } from '../../contract/messages/one-line.ts'
import { nameBeside } from '../../contract/rules/players/player-names.ts'
import { asUuid } from '../worlds/player-uuid.ts'

// Minecraft Server Management Protocol, Java 1.21.9 and later. Parameters are positional, since these versions accept
// no names. Unknown fields are ignored.

export const METHODS = {
  players: 'minecraft:players',
  kick: 'minecraft:players/kick',
  message: 'minecraft:server/system_message',
  useAllowlist: 'minecraft:serversettings/use_allowlist/set',
  bans: 'minecraft:bans',
  operators: 'minecraft:operators',
  allowlist: 'minecraft:allowlist',
} as const

export const NOTIFICATIONS = {
  joined: 'minecraft:notification/players/joined',
  left: 'minecraft:notification/players/left',
} as const

export const JsonRpcMessage = z.union([
  z.object({
    id: z.number(),
    error: z.object({ code: z.number(), message: z.string().catch(''), data: z.unknown().optional() }),
  }),
  z.object({ id: z.number(), result: z.unknown() }).refine((message) => Object.hasOwn(message, 'result')),
  z.object({ method: z.string(), params: z.unknown().optional() }),
])
export type JsonRpcMessage = z.output<typeof JsonRpcMessage>

/** Invalid names and uuids count as absent. */
export const RpcPlayer = z
  .object({ id: z.string().nullish(), name: z.string().nullish() })
  .transform(({ id, name }) => {
    const uuid = asUuid(id ?? '')
    return { id: uuid, name: nameBeside(uuid, name ?? null) }
  })
export type RpcPlayer = z.output<typeof RpcPlayer>

const ENTRIES = 25_000

export const RpcPlayers = z.array(RpcPlayer).max(ENTRIES)

export const RpcNotification = z.union([
  z.tuple([RpcPlayer], z.unknown()).transform(([player]) => player),
  z.object({ player: RpcPlayer }).transform(({ player }) => player),
])

const RpcListEntry = z.object({
  player: RpcPlayer,
  reason: z
    .string()
    .nullish()
    .transform((reason) => (reason ? asOneLine(reason) : null)),
  /** ISO time → Unix ms; absent for permanent bans. */
  expires: z
    .string()
    .nullish()
    .transform((expires) => {
      const at = Date.parse(expires ?? '')
      return Number.isFinite(at) ? at : null
    }),
})
export type RpcListEntry = z.output<typeof RpcListEntry>

/** Entries contain a player (bans, operators), or are players. */
export const RpcList = z
  .array(
    z.union([
      RpcListEntry,
      RpcPlayer.transform((player): RpcListEntry => ({ player, reason: null, expires: null })),
    ]),
  )
  .max(ENTRIES)
