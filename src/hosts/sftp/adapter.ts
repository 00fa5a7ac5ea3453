import type { Readable } from 'node:stream'
import { sftpAccess } from '../../contract/rules/sftp.ts'
import { type HostAdapter, type HostOperations, hostRefusal } from '../base/adapter.ts'
import { inTurn, readForm } from '../base/form.ts'
import { scopesOffered } from '../base/scopes.ts'
import type { HostPorts } from '../hosts.ts'
import { SftpBatch } from './batch.ts'
import { sendCommand, SftpConsole, sftpEvents } from './console.ts'
import { openExtensions } from '../extensions/host-extensions.ts'
import { withExtensions } from '../extensions/operations.ts'
import { extensionAccess } from './extensions.ts'
import { CopyRoom, SftpCopying } from './copying.ts'
import { SftpFiles } from './files.ts'
import { ServerFolder } from './folder.ts'
import { gameOf } from './game.ts'
import { GameServer, SERVER_ID } from './game-server.ts'
import { SshLink } from './link.ts'
import { logFiles } from './log-files.ts'
import { LogTail } from './log-tail.ts'
import { placeOf } from './place.ts'
import { runPowerLine } from './power-line.ts'
import { Rcon } from './rcon.ts'
import { SftpSearch } from './search.ts'
import { SftpWriting } from './writing.ts'

/** One server whose files are reached over SFTP. */
export function openAdapter(
  address: string,
  { dispatcher, memory, choices, powerLines, extensions: ports }: HostPorts,
): HostAdapter {
  const place = placeOf(address)
  const link = new SshLink(place, dispatcher.dial)
  const folder = new ServerFolder(place.folder)
  const ended = new AbortController()
  const console = new SftpConsole(
    (key) =>
      new LogTail(logFiles(link, folder, { key, signal: ended.signal }), () => memory.newest(SERVER_ID)),
  )
  let offered: ReturnType<typeof scopesOffered> | undefined
  const rcon = new Rcon(link, dispatcher.dial, () => choices().plainRcon === true)
  const server = new GameServer({
    ...{ link, folder, rcon, dial: dispatcher.dial },
    offered: () => (offered ??= scopesOffered(operations)),
  })
  const files = new SftpFiles(link, folder)
  const writing = new SftpWriting(link, folder, files)
  const extensions = openExtensions(ports, extensionAccess(files, writing, server))
  const operations: HostOperations = {
    'account.me': async (caller) => {
      await link.open(caller)
      return { id: `${place.user}@${place.host}`, name: place.user }
    },
    'servers.list': async (caller) => ({ items: [await server.server(caller)], nextCursor: null }),
    ...serverOf(server),
    ...powerOf(link, powerLines),
    ...gameOf({ link, folder, server, console, writing, rcon }),
    ...consoleOf(server, console, rcon),
    ...filesOf(files, writing, new SftpBatch(link, folder, writing)),
    'files.copy': copyOf(new SftpCopying(files, writing)),
    'files.search': searchOf(new SftpSearch(link, folder)),
  }
  return {
    operations: ofThisServer(withExtensions(operations, extensions)),
    machines: {
      list: (_meets, { key }) => {
        const hostKey = sftpAccess(key)?.hostKey ?? null
        const machine = `${place.host}:${place.port}`
        return Promise.resolve({ machines: [{ machine, hostKey }], password: null })
      },
    },
    close() {
      console.close()
      ended.abort(new Error('closed'))
      extensions?.close()
      link.close()
    },
  }
}

/** Whatever is asked of another server: there is none. */
function ofThisServer(operations: HostOperations): HostOperations {
  const guarded = Object.entries(operations).map(([id, handler]) => [
    id,
    (caller: { params: { serverId?: string } }) => {
      if ((caller.params.serverId ?? SERVER_ID) !== SERVER_ID) throw hostRefusal(404, 'sftp.not-found')
      return (handler as (call: typeof caller) => unknown)(caller)
    },
  ])
  return Object.fromEntries(guarded) as HostOperations
}

const serverOf = (server: GameServer): HostOperations => ({
  'servers.read': (caller) => server.server(caller),
  'servers.status': (caller) => server.status(caller),
})

/** By the line that a person gave for it, which was shown to them and confirmed. */
const powerOf = (link: SshLink, powerLines: HostPorts['powerLines']): HostOperations => ({
  'servers.power': async (caller) => {
    const { action } = caller.body
    const line = action === 'kill' ? '' : (await powerLines())?.[action]
    if (!line) throw hostRefusal(409, 'sftp.no-line')
    await runPowerLine(await link.open(caller), line)
    return { accepted: true }
  },
})

const consoleOf = (server: GameServer, console: SftpConsole, rcon: Rcon): HostOperations => ({
  'console.events': (caller) => {
    const { servers, lines = servers, after = '' } = caller.query
    const [, last = null] = new RegExp(`(?:^|,)${SERVER_ID}:([^,]+)`).exec(after) ?? []
    return sftpEvents({ hasLines: lines.split(',').includes(SERVER_ID), after: last }, caller, {
      server,
      console,
    })
  },
  'console.history': async (caller) => {
    const { lines, release } = console.hold(caller.key)
    try {
      return { items: (await lines).page(caller.query), nextCursor: null }
    } finally {
      release()
    }
  },
  'console.command': async (caller) => {
    await sendCommand(caller.body.command, caller, { rcon, server, console })
    return { accepted: true }
  },
})

const copyOf =
  (copying: SftpCopying): NonNullable<HostOperations['files.copy']> =>
  async (caller) => {
    const { items, conflict } = caller.body
    const room = new CopyRoom()
    return { results: await inTurn(items, (item) => copying.copy(item, conflict, room, caller)) }
  }

const searchOf =
  (search: SftpSearch): NonNullable<HostOperations['files.search']> =>
  async (caller) => ({ items: await search.run(caller.query, caller), nextCursor: null })

const filesOf = (files: SftpFiles, writing: SftpWriting, batch: SftpBatch): HostOperations => ({
  'files.list': async (caller) => ({
    items: await files.list(caller.query.path ?? '', caller),
    nextCursor: null,
  }),
  'files.read': (caller) => files.read(caller.query.path, caller.header('range'), caller),
  'files.write': async (caller) => {
    const mustBeNew = caller.header('if-none-match') === '*'
    const bytes: Readable = caller.bytes
    return { entry: await writing.write({ path: caller.query.path, bytes, mustBeNew }, caller) }
  },
  'files.folder': async (caller) => {
    const { path, conflict } = caller.body
    return { entry: await files.makeFolder(path, conflict !== 'skip', caller) }
  },
  'files.move': async (caller) => ({
    results: await inTurn(caller.body.items, (item) => files.move(item, caller.body.conflict, caller)),
  }),
  'files.remove': async (caller) => ({
    results: await inTurn(caller.body.paths, (path) => files.remove(path, caller)),
  }),
  'files.limits': (caller) => files.limits(caller),
  'files.batch': async (caller) => ({
    results: await batch.write(caller.bytes, caller.query?.conflict === 'replace', caller),
  }),
  'files.upload': async (caller) => {
    const { fields, file, sha256 } = await readForm(caller.header('content-type'), caller.bytes)
    const { path, conflict, modifiedAt } = fields
    if (!path) throw hostRefusal(422, 'request.invalid.path')
    const sent = { path, bytes: file, mustBeNew: conflict !== 'replace', modifiedAt, sha256 }
    return { entry: await writing.write(sent, caller) }
  },
})
