import { z } from 'zod'
import { fieldError } from '../messages/refusals/field-error.ts'
import { area } from '../declarations/declare.ts'
import { json, openEnum, Time, maybe } from '../declarations/operation.ts'

const { read } = area('servers')

/** Who can connect: programs on the server's computer only, or everyone who reaches that computer. */
export const OPEN_TO = ['computer', 'network'] as const
export type OpenToValue = (typeof OPEN_TO)[number]
export const OpenTo = openEnum(OPEN_TO)
export const OpenToChange = z.enum(OPEN_TO)

const PORTS = fieldError('request.invalid.port', { first: '1024', last: '65535' })
/** Lower ports need privileges that a game server must not have. */
export const GamePort = z.number().int(PORTS).min(1024, PORTS).max(65535, PORTS)

/** Where a player connects from: the server's own computer, its network, or anywhere. */
export const WAY_KINDS = ['computer', 'network', 'internet'] as const

export const ServerAddress = z.object({
  kind: openEnum(WAY_KINDS),
  /** Absent if unknown to its computer, such as a router's public address. */
  host: maybe.text,
  port: maybe.whole,
  /** Reachable now, as checked from the server's computer; absent while it isn't online. */
  answers: maybe.flag,
  joinedAt: Time.nullish(),
})
export type ServerAddress = z.output<typeof ServerAddress>

/** An extension. */
export const ways = {
  addresses: read({
    id: 'servers.addresses',
    summary: 'List where players can connect, and whether that was seen to work',
    rate: { burst: 60, perSecond: 1 },
    path: '/servers/addresses/:serverId',
    origin: 'extension',
    scope: 'server.read',
    answer: json(z.object({ items: z.array(ServerAddress).max(20) })),
    keep: 'memory',
  }),
}
