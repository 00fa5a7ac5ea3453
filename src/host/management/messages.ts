import { z } from 'zod'
import { asOneLine } from '../../contract/messages/one-line.ts'
import { nameBeside } from '../../contract/rules/players/player-names.ts'
import { asUuid } from '../../contract/rules/game/player-uuid.ts'

// Minecraft Server Management Protocol, Java 1.21.9 and later. Parameters are positional, since these versions accept
// no names. Unknown fields are ignored.

/** First release with it. */
export const FIRST_MANAGED = '1.21.9'

export const METHODS = {
  players: 'minecraft:players',
  kick: 'minecraft:players/kick',
  message: 'minecraft:server/system_message',
  useAllowlist: 'minecraft:serversettings/use_allowlist/set',
  bans: 'minecraft:bans',
  operators: 'minecraft:operators',
  allowlist: 'minecraft:allowlist',
} as const

/** Outcomes are never thrown, so unknown ones aren't mistaken for failures. */
export type RpcOutcome =
  | { kind: 'answered'; result: unknown }
  /** The server's words. `untouched`: it didn't start. */
  | { kind: 'refused'; words: string; untouched: boolean }
  /** Never sent: no connection, or too many pending calls. */
  | { kind: 'unsent' }
  /** Sent without an answer: it may have happened. */
  | { kind: 'lost' }

/** What calls a running server. Never throws. */
export interface ManagementCalls {
  /** `ms`: until the answer. */
  call(method: string, params: readonly unknown[], ms?: number): Promise<RpcOutcome>
}

/** Calls at a time; more are `unsent`. */
export const PENDING_MOST = 16

const WORDS_SHOWN = 200
/** JSON-RPC errors raised before a method starts: invalid request, unknown method, invalid parameters. */
const UNTOUCHED = new Set([-32_700, -32_600, -32_601, -32_602])

export const RpcError = z.object({
  code: z.number(),
  message: z.string().catch(''),
  data: z.unknown().optional(),
})

export function refusedBy({ code, message, data }: z.output<typeof RpcError>): RpcOutcome {
  const words = asOneLine([message, typeof data === 'string' ? data : ''].filter(Boolean).join(': '))
  return { kind: 'refused', words: words.slice(0, WORDS_SHOWN), untouched: UNTOUCHED.has(code) }
}

export const NOTIFICATIONS = {
  joined: 'minecraft:notification/players/joined',
  left: 'minecraft:notification/players/left',
} as const

export const JsonRpcMessage = z.union([
  z.object({ id: z.number(), error: RpcError }),
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
