import { varInt } from '../../host/network/server-list-ping.ts'

/** What we send, of https://minecraft.wiki/w/Java_Edition_protocol. */

/** Since 1.20.5 a waiting player can be sent on; newer protocols than the last one checked may differ. */
export const TRANSFERS = { first: 766, last: 775 }

/** Until 1.21.1 a flag follows the profile. */
const STRICT_UNTIL = 767

export interface Status {
  version: string
  protocol: number
  max: number
  motd: string
  /** A data URL. */
  icon: string | null
}

export const statusAnswer = ({ version, protocol, max, motd, icon }: Status): Buffer =>
  packet(
    0,
    text(
      JSON.stringify({
        version: { name: version, protocol },
        players: { max, online: 0 },
        description: { text: motd },
        ...(icon && { favicon: icon }),
      }),
    ),
  )

export const pong = (payload: Buffer): Buffer => packet(1, payload)

/** While signing in. */
export const refusal = (sentence: string): Buffer => packet(0, text(JSON.stringify({ text: sentence })))

export const welcome = (protocol: number, uuid: string, name: string): Buffer =>
  packet(
    2,
    ...[Buffer.from(uuid.replaceAll('-', ''), 'hex'), text(name), varInt(0)],
    ...(protocol <= STRICT_UNTIL ? [Buffer.of(0)] : []),
  )

/** The rest is for waiting players (state `configuration`, 1.20.5 and newer). */
export const keepAlive = (): Buffer => packet(4, Buffer.alloc(8))

export const transfer = (host: string, port: number): Buffer => packet(0x0b, text(host), varInt(port))

/** NBT since 1.20.3: a string tag without a name. */
export function goodbye(sentence: string): Buffer {
  const bytes = Buffer.from(sentence)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return packet(2, Buffer.of(8), length, bytes)
}

/** Those games take 256 characters in all. */
const OLD_MOTD_MOST = 150

/** Until 1.6: to games that send only 0xFE, and to those that send 0xFE 0x01. */
export function oldAnswer({ version, max, ...said }: Omit<Status, 'protocol'>, isOldest: boolean): Buffer {
  const motd = said.motd.replaceAll('\n', ' ').slice(0, OLD_MOTD_MOST)
  const parts = isOldest
    ? [motd.replaceAll(/§./gs, '').replaceAll('§', ''), '0', String(max)].join('§')
    : // No client of that time can join whatever the number says.
      ['§1', '127', version, motd, '0', String(max)].join('\0')
  const answer = Buffer.alloc(3 + parts.length * 2)
  answer.writeUInt8(0xff)
  answer.writeUInt16BE(parts.length, 1)
  for (let at = 0; at < parts.length; at++) answer.writeUInt16BE(parts.charCodeAt(at), 3 + 2 * at)
  return answer
}

function packet(id: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat([varInt(id), ...parts])
  return Buffer.concat([varInt(body.length), body])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([varInt(bytes.length), bytes])
}
