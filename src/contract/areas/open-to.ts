import { z } from 'zod'
import { wrong } from '../messages/refusals/wrong.ts'
import { area } from '../declarations/declare.ts'
import { maybe } from '../declarations/fields.ts'
import { json, openEnum, Time } from '../declarations/operation.ts'

const { read } = area('servers')

/** Who can connect to a server: programs on its own computer alone, or everybody who reaches that computer. */
export const OPEN_TO = ['computer', 'network'] as const
export type OpenToValue = (typeof OPEN_TO)[number]
export const OpenTo = openEnum(OPEN_TO)
export const ChangeOpenTo = z.enum(OPEN_TO)

const PORTS = wrong('request.invalid.port', { first: '1024', last: '65535' })
/** A port that a game server can be given: those below need rights that it is not to have. */
export const GamePort = z.number().int(PORTS).min(1024, PORTS).max(65535, PORTS)

/** From where somebody can connect: the server's own computer, its network, or anywhere. */
export const WAY_KINDS = ['computer', 'network', 'internet'] as const

/** A way to a server. */
export const ServerAddress = z.object({
  kind: openEnum(WAY_KINDS),
  /** Not given where nobody on its computer can know it: the address of its router on the internet. */
  host: maybe.text,
  port: maybe.whole,
  /** Whether it answers there now, asked from its own computer; not given while it is not online. */
  answers: maybe.flag,
  /** When somebody was last seen to join from there. */
  joinedAt: Time.nullish(),
})
export type ServerAddress = z.output<typeof ServerAddress>

/** Where players connect. An extension. */
export const ways = {
  addresses: read({
    id: 'servers.addresses',
    summary: 'List where players can connect, and whether that was seen to work',
    path: '/servers/addresses/:serverId',
    origin: 'extension',
    scope: 'server.read',
    answer: json(z.object({ items: z.array(ServerAddress).max(20) })),
    keep: 'memory',
  }),
}
