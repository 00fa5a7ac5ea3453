import { readdirSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { pino } from 'pino'
import { systemClock } from '../base/clock.ts'
import {
  startTestService,
  temporaryFolder,
  type Answer,
  type Call,
  type TestService,
} from '../service.fixture.ts'
import type { ServiceOptions } from '../service.ts'
import type { ActionContext } from './item-actions.ts'
import { ServerFiles, type ServerFilesOptions } from './server-files.ts'
import { Trash } from './trash.ts'

/** The files of one server in temporary folders, and a folder beside it that nobody may reach. */
export async function openTestFiles(
  options: Partial<ServerFilesOptions> = {},
): Promise<{ files: ServerFiles; root: string; outside: string }> {
  const folder = await temporaryFolder()
  const [root, outside] = [path.join(folder, 'servers', 'one'), path.join(folder, 'outside')]
  for (const one of [root, outside]) await mkdir(one, { recursive: true })
  const files = new ServerFiles({
    serverId: 'one',
    root,
    staging: path.join(folder, 'staging', 'one'),
    trash: path.join(folder, 'trash', 'one'),
    maxFileBytes: null,
    quotaBytes: null,
    running: () => false,
    ...options,
  })
  return { files, root, outside }
}

export interface FileService extends TestService {
  token: string
  serverId: string
  /** The server's folder on disk. */
  root: string
  /** Asks an operation of the file area: `GET content path=a.txt`. `METHOD word query`. */
  ask(route: string, call?: Call): Promise<Answer>
  /** Sends raw bytes, or reads them. */
  raw(route: string, init?: RequestInit & { duplex?: 'half' }): Promise<Response>
  /** What a file on disk holds. */
  onDisk(name: string): Promise<string>
}

/** A running service with one server, and short ways to its files. */
export async function startFileService(options: Partial<ServiceOptions> = {}): Promise<FileService> {
  const test = await startTestService(options)
  const token = await test.account('ann@example.org')
  const created = await test.call('POST /servers', {
    token,
    body: { name: 'Mine', software: { id: 'demo', version: '1.20.4' }, memoryMb: 512 },
  })
  const serverId = String(created.body.id)
  const root = path.join(test.service.dataDir, 'servers', serverId)
  const target = (route: string) => {
    const [method = '', word = '', ...query] = route.split(' ')
    const area = word === '-' ? '' : `${word}/`
    const asked = query.length > 0 ? `?${new URLSearchParams(query.join(' '))}` : ''
    return { method, address: `/servers/files/${area}${serverId}${asked}` }
  }
  return {
    ...test,
    token,
    serverId,
    root,
    ask(route, call) {
      const { method, address } = target(route)
      return test.call(`${method} ${address}`, { token, ...call })
    },
    raw(route, init = {}) {
      const { method, address } = target(route)
      const headers = new Headers(init.headers)
      headers.set('Authorization', `Bearer ${token}`)
      return fetch(test.baseUrl + address, { ...init, method, headers })
    },
    onDisk: (name) => readFile(path.join(root, name), 'utf8'),
  }
}

/** What lies in a server's staging folder while it is not whole yet. */
export const stagingOf = ({ service, serverId }: FileService): string[] =>
  readdirSync(path.join(service.dataDir, 'staging', serverId)).filter((name) => name.startsWith('tmp-'))

/** A signal that never comes. */
export const never = new AbortController().signal
/** What acts on items of these files. */
export const deskOf = (files: ServerFiles): ActionContext => ({
  files,
  trash: new Trash(files, { ...systemClock, seen: systemClock.elapsed }),
  log: pino({ enabled: false }),
  checkAgain: () => {},
})

/** The code an act is refused with; `done` where it is not. */
export const code = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    (error: unknown) => (error as { code?: string }).code,
  )
