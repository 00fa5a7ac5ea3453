import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ManagedGame } from '../../management.ts'

export interface DoubleServer {
  id: string
  name: string
  folder: string
  status: number
  shared: boolean
  players: string[]
  ram: number
  /** What the owner of a shared server allows. */
  allows: (path: string) => boolean
  lists: Record<string, string[]>
  version: string
  /** What speaks the management protocol, from 1.21.9 on. */
  game: ManagedGame | null
}

export type Answer = { status: number; body?: unknown; headers?: Record<string, string>; html?: string }
interface Call {
  server: DoubleServer
  at: string
  json: () => Record<string, unknown>
  body: Buffer
  type: string
}
type Handler = (call: Call) => Answer

/** What the routes need of the rest. */
interface Host {
  faults: string[]
  /** A server as it is shown. */
  object(server: DoubleServer): unknown
  walk(server: DoubleServer, how: 'start' | 'stop' | 'restart'): void
  print(server: DoubleServer, text: string): void
}

const LOG_REFUSED = [3, 5, 6]

export const ok = (data: unknown = null): Answer => ({
  status: 200,
  body: { success: true, error: null, data },
})
export const no = (status: number, error: string): Answer => ({
  status,
  body: { success: false, error, data: null },
})

/** By method and path below a server; what follows `files/…/` and `playerlists/` is `at`. */
export const routesOf = (host: Host): Record<string, Handler | undefined> => ({
  ...powerRoutes(host),
  ...listRoutes,
  ...fileRoutes(host),
})

const powerRoutes = (host: Host): Record<string, Handler> => ({
  'GET ': ({ server }) => ok(host.object(server)),
  'POST start': ({ server, json }) => {
    if (json()['useOwnCredits'] !== false) return no(400, 'useOwnCredits')
    if (server.status !== 0 && server.status !== 7) return no(400, 'Server is not offline')
    host.walk(server, 'start')
    return ok()
  },
  'GET stop': ({ server }) => leave(host, server, 'stop'),
  'GET restart': ({ server }) => leave(host, server, 'restart'),
  'POST command': ({ server, json }) => {
    // As its wrong states come: with 200.
    if (server.status !== 1) return no(200, 'Server is not online')
    command(host, server, String(json()['command']))
    return ok()
  },
  'GET options/ram/': ({ server }) => ok({ ram: server.ram }),
  'POST options/ram/': ({ server, json }) => ok({ ram: (server.ram = Number(json()['ram'])) }),
})

function leave(host: Host, server: DoubleServer, how: 'stop' | 'restart'): Answer {
  if (server.status !== 1) return no(400, 'Server is not online')
  host.walk(server, how)
  return ok()
}

function command(host: Host, server: DoubleServer, text: string): void {
  host.print(server, `[12:00:00 INFO]: heard ${text}`)
  const [, name, reason] = /^kick (\S+) ?(.*)$/.exec(text) ?? []
  if (name) host.print(server, `[12:00:00 INFO]: Kicked ${name}: ${reason}`)
  const turned = /^whitelist (on|off)$/.exec(text)?.[1]
  if (!turned) return
  const file = within(server, 'server.properties')
  const before = readFileSync(file, 'latin1')
  writeFileSync(file, before.replace(/^white-list=.*$/m, `white-list=${turned === 'on'}`), 'latin1')
  host.print(server, `[12:00:00 INFO]: Whitelist is now turned ${turned}`)
}

const listRoutes: Record<string, Handler> = {
  'GET playerlists/': ({ server, at }) => {
    if (at === '') return ok(Object.keys(server.lists))
    const list = server.lists[at.replace(/\/$/, '')]
    return list && at.endsWith('/') ? ok(list) : no(404, 'No such list')
  },
  'PUT playerlists/': (call) => changeList(call, true),
  // A body beside DELETE, which some drop.
  'DELETE playerlists/': (call) => changeList(call, false),
}

function changeList({ server, at, json }: Call, adds: boolean): Answer {
  const list = server.lists[at.replace(/\/$/, '')]
  const { entries } = json()
  if (!list || !Array.isArray(entries) || entries.length === 0) return no(400, 'entries')
  const rest = list.filter((name) => !entries.includes(name))
  list.splice(0, list.length, ...rest, ...(adds ? (entries as string[]) : []))
  return ok()
}

const fileRoutes = (host: Host): Record<string, Handler> => ({
  'GET logs': ({ server }) => {
    if (LOG_REFUSED.includes(server.status)) return no(400, 'Server is not available')
    const file = within(server, 'logs/latest.log')
    return ok({ content: isFile(file) ? readFileSync(file, 'utf8') : null })
  },
  'GET files/info/': ({ server, at }) => {
    const file = within(server, at)
    const about = statSync(file, { throwIfNoEntry: false })
    if (!about) return no(404, 'File not found')
    const children = about.isDirectory()
      ? readdirSync(file).map((name) => fileObject(path.join(file, name), path.posix.join(at, name), null))
      : null
    return ok(fileObject(file, at, children))
  },
  'GET files/data/': ({ server, at }) => {
    const file = within(server, at)
    if (at === 'logs/latest.log' && LOG_REFUSED.includes(server.status))
      return no(400, 'Server is not available')
    return isFile(file) ? { status: 200, body: readFileSync(file) } : no(404, 'File not found')
  },
  'PUT files/data/': ({ server, at, body, type }) => {
    if (![0, 1, 7].includes(server.status)) host.faults.push(`written in ${server.status}: ${at}`)
    const file = within(server, at)
    if (type === 'inode/directory') mkdirSync(file, { recursive: true })
    else {
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, body)
    }
    return ok()
  },
  'DELETE files/data/': ({ server, at }) => {
    const file = within(server, at)
    if (at === '' || !statSync(file, { throwIfNoEntry: false })) return no(404, 'File not found')
    rmSync(file, { recursive: true })
    return ok()
  },
})

function fileObject(file: string, at: string, children: unknown[] | null) {
  const about = statSync(file)
  const isDirectory = about.isDirectory()
  return {
    ...{ path: at, name: path.basename(at), isTextFile: !isDirectory, isConfigFile: false, isDirectory },
    ...{ isLog: false, isReadable: true, isWritable: true, size: isDirectory ? 0 : about.size, children },
  }
}

/** A path that leads out is a fault of what is tested. */
function within({ folder }: DoubleServer, given: string): string {
  const target = path.join(folder, given)
  if (given.startsWith('/') || !`${target}/`.startsWith(`${folder}/`)) throw new Error(`${given} leads out`)
  return target
}

const isFile = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() === true
