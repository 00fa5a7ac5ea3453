import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { backupHandler, backupLists } from './backup-routes.ts'
import { fileHandlers } from './file-routes.ts'
import { allocationObject, hostingHandler, hostingOf } from './hosting-routes.ts'
import { type Answer, type DoubleServer, error, type Handler, notFound, unusable } from './routes.ts'
import { peopleHandler } from './people-routes.ts'
import { scheduleHandler } from './schedule-routes.ts'
import { Wings } from './wings.ts'
import { WingsSftp } from './wings-sftp.ts'
import { unlessCut } from '../unless-cut.ts'

export const KEY = 'ptlc_abcdefghijk0123456789abcdefghijklmnopqrstuv'
const PELICAN_KEY = KEY.replace('ptlc', 'pacc')

/**
 * A stand-in for a Pterodactyl panel with one machine (Wings), strict where those are; or for a Pelican panel, where it
 * differs. From the sources of panel 1.11, Wings 1.11 and Pelican 1.0-beta (facts); none was tried.
 */
export class PterodactylPanel {
  readonly servers: DoubleServer[] = []
  readonly isPelican: boolean
  /** Every request: its method, path and authorization. */
  readonly seen: { method: string; path: string; authorization: string | null }[] = []
  /** Answers instead of the panel, such as a page of its protection. */
  instead: ((asked: IncomingMessage) => Answer | null) | null = null
  readonly restored: unknown[] = []
  /** The machine is down; the panel answers. */
  nodeDown = false
  tokensPerMinute = 5
  isKeyDeleted = false
  /** What it calls itself, where that isn't how it is reached. */
  appUrl: string | null = null
  readonly #tokenTimes = new Map<string, number[]>()
  /** The machine of all servers. */
  wings: Wings
  readonly sftp: WingsSftp
  /** Of a line to it, as the panel tells it. */
  sftpPort: number | null = null
  readonly sshKeys: { name: string; fingerprint: string }[] = []
  /** The panel takes no SSH keys. */
  refusesSshKeys = false
  readonly #http = createServer((request, response) => unlessCut(request, this.#answer(request, response)))

  private constructor(wings: Wings, sftp: WingsSftp, isPelican: boolean) {
    this.wings = wings
    this.sftp = sftp
    this.isPelican = isPelican
  }

  static async open({ isPelican = false } = {}): Promise<PterodactylPanel> {
    const wings = await Wings.open()
    const sftp = await WingsSftp.open()
    const panel = new PterodactylPanel(wings, sftp, isPelican)
    await new Promise<void>((resolve) => panel.#http.listen(0, '127.0.0.1', resolve))
    wings.panel = panel
    sftp.panel = panel
    wings.origin = panel.address
    return panel
  }

  get key(): string {
    return this.isPelican ? PELICAN_KEY : KEY
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  get base(): string {
    return `${this.address}/api/client`
  }

  add(folder: string, more: Partial<DoubleServer> = {}): DoubleServer {
    const server: DoubleServer = {
      ...{ uuid: randomUUID(), name: 'Survival', folder, owner: true, permissions: ['*'] },
      ...{
        status: null,
        state: 'running',
        suspended: false,
        backups: [],
        schedules: [],
        users: [],
        log: [],
        ...more,
      },
    }
    this.servers.push(server)
    return server
  }

  async close(): Promise<void> {
    await this.wings.close()
    await this.sftp.close()
    this.#http.closeAllConnections()
    await new Promise<void>((resolve) => this.#http.close(() => resolve()))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.address)
    const authorization = request.headers.authorization ?? null
    this.seen.push({ method: request.method ?? '', path: url.pathname + url.search, authorization })
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const answer = this.instead?.(request) ?? (await this.#route(request, url, Buffer.concat(pieces)))
    const { status, body, html, headers = {} } = answer
    if (html !== undefined)
      return void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(html)
    if (body === undefined) return void response.writeHead(status, headers).end()
    if (body instanceof Buffer)
      return void response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

  #route(request: IncomingMessage, url: URL, body: Buffer): Answer | Promise<Answer> {
    if (url.pathname === '/' && this.appUrl !== null)
      return { status: 302, headers: { location: `${this.appUrl}/auth/login` } }
    if (!request.headers.accept?.includes('application/json'))
      return { status: 302, headers: { location: '/auth/login' } }
    const key = request.headers.authorization?.replace('Bearer ', '')
    if (/^(ptla|papp)_/.test(key ?? ''))
      return error(
        403,
        'AccessDeniedHttpException',
        'You are attempting to use an application API key on an endpoint that requires a client API key.',
      )
    if (key !== this.key || this.isKeyDeleted)
      return error(401, 'AuthenticationException', 'Unauthenticated.')
    const at = url.pathname.replace(/^\/api\/client/, '')
    const asked = { url, body, json: () => JSON.parse(body.toString()) as Record<string, unknown> }
    if (request.method === 'GET' && at === '/account')
      return {
        status: 200,
        body: {
          object: 'user',
          attributes: {
            ...(this.isPelican ? { uuid: 'a-uuid' } : { id: 7, admin: false }),
            ...{ username: 'steve', email: 'steve@example.com' },
          },
        },
      }
    if (at.startsWith('/account/ssh-keys')) return this.#ofSshKeys(`${request.method} ${at}`, asked.json)
    const keyAt = /^\/account\/api-keys\/(\w+)$/.exec(at)?.[1]
    if (request.method === 'DELETE' && keyAt !== undefined) {
      if (keyAt !== this.key.slice(0, 16)) return notFound()
      this.isKeyDeleted = true
      return { status: 204 }
    }
    if (request.method === 'GET' && (at === '' || at === '/')) return this.#list(url)
    const match = /^\/servers\/([^/]+)(\/.*)?$/.exec(at)
    const server = this.servers.find(({ uuid }) => uuid === match?.[1])
    const handler =
      match &&
      (this.#handlers[`${request.method} ${match[2] ?? ''}`] ??
        hostingHandler(`${request.method} ${match[2] ?? ''}`) ??
        backupHandler(`${request.method} ${match[2] ?? ''}`, this) ??
        scheduleHandler(`${request.method} ${match[2] ?? ''}`) ??
        peopleHandler(`${request.method} ${match[2] ?? ''}`))
    if (!server || !handler)
      return error(404, 'NotFoundHttpException', 'The requested resource could not be found.')
    const why = unusable(server)
    if (why !== null && match[2] !== undefined && match[2] !== '/backups')
      return error(409, 'ServerStateConflictException', why)
    if (this.nodeDown && match[2] !== undefined)
      return error(
        504,
        'DaemonConnectionException',
        'Could not establish a connection to the machine running this server. Please try again.',
      )
    return handler({ ...asked, params: [], server })
  }

  #ofSshKeys(route: string, json: () => Record<string, unknown>): Answer {
    if (this.refusesSshKeys) return error(403, 'AccessDeniedHttpException', 'This action is unauthorized.')
    const object = (attributes: object) => ({ object: 'ssh_key', attributes })
    const removed = this.isPelican
      ? /^DELETE \/account\/ssh-keys\/(.+)$/.exec(route)?.[1]
      : route === 'POST /account/ssh-keys/remove' && String(json()['fingerprint'])
    if (removed) {
      const at = this.sshKeys.findIndex(({ fingerprint }) => fingerprint === decodeURIComponent(removed))
      if (at >= 0) this.sshKeys.splice(at, 1)
      return { status: 204 }
    }
    switch (route) {
      case 'GET /account/ssh-keys':
        return { status: 200, body: { object: 'list', data: this.sshKeys.map(object) } }
      case 'POST /account/ssh-keys': {
        const { name = '', public_key: text = '' } = json() as { name?: string; public_key?: string }
        const [, kind, blob] = /^(\S+) (\S+)/.exec(text) ?? []
        if (!name || kind !== 'ssh-ed25519')
          return error(422, 'ValidationException', 'The public key provided is not valid.')
        const bytes = Buffer.from(blob ?? '', 'base64')
        const fingerprint = createHash('sha256').update(bytes).digest('base64').replace(/=+$/, '')
        if (this.sshKeys.some((key) => key.fingerprint === fingerprint))
          return error(422, 'ValidationException', 'The public key provided already exists on your account.')
        this.sshKeys.push({ name, fingerprint })
        return { status: 200, body: object(this.sshKeys.at(-1)!) }
      }
      default:
        return error(405, 'MethodNotAllowedHttpException', 'This method is not allowed.')
    }
  }

  #list(url: URL): Answer {
    const each = Math.min(100, Number(url.searchParams.get('per_page') ?? 50))
    const page = Number(url.searchParams.get('page') ?? 1)
    const data = this.servers.slice((page - 1) * each, page * each).map((server) => this.#object(server))
    const pagination = {
      ...{ total: this.servers.length, count: data.length, per_page: each, current_page: page },
      total_pages: Math.max(1, Math.ceil(this.servers.length / each)),
      links: {},
    }
    return { status: 200, body: { object: 'list', data, meta: { pagination } } }
  }

  #object(server: DoubleServer) {
    const { description, image, ports, primary, ...most } = hostingOf(server)
    const allocations = ports.map((port) => ({
      object: 'allocation',
      attributes: allocationObject(port, primary),
    }))
    return {
      object: 'server',
      attributes: {
        ...{
          server_owner: server.owner,
          identifier: server.identifier ?? server.uuid.slice(0, 8),
          internal_id: 1,
          uuid: server.uuid,
        },
        ...{ name: server.name, node: 'Node 1', is_node_under_maintenance: false },
        ...(!this.isPelican && { description }),
        sftp_details: {
          ...{ ip: '127.0.0.1', port: this.sftpPort ?? this.sftp.port },
          ...(this.isPelican && { alias: null }),
        },
        limits: { memory: 4096, swap: 0, disk: 10_240, io: 500, cpu: 200, threads: null, oom_disabled: true },
        ...{ invocation: 'java -jar server.jar', docker_image: image, egg_features: ['eula'] },
        feature_limits: { databases: most.databasesMost, allocations: most.portsMost, backups: 2 },
        ...{
          status: server.status,
          is_suspended: server.suspended,
          is_installing: false,
          is_transferring: server.isTransferring === true,
        },
        relationships: {
          allocations: { object: 'list', data: allocations },
          variables: null,
        },
      },
    }
  }

  readonly #handlers: Record<string, Handler | undefined> = {
    ...fileHandlers(() => this.wings),
    'GET ': ({ server }) => ({
      status: 200,
      body: {
        ...this.#object(server),
        meta: { is_server_owner: server.owner, user_permissions: server.permissions },
      },
    }),
    'GET /resources': ({ server }) => ({
      status: 200,
      body: {
        object: 'stats',
        attributes: {
          ...{ current_state: server.state, is_suspended: server.suspended },
          resources: {
            ...{ memory_bytes: 1_000_000_000, cpu_absolute: 42.5, disk_bytes: 2_000_000_000 },
            ...{ network_rx_bytes: 10, network_tx_bytes: 20, uptime: 61_000 },
          },
        },
      },
    }),
    'POST /power': ({ server, json }) => {
      this.wings.power(server.uuid, String(json()['signal']))
      return { status: 204 }
    },
    'POST /command': ({ server, json }) => {
      if (server.state === 'offline')
        return error(502, 'HttpException', 'Server must be online in order to send commands.')
      this.wings.command(server.uuid, String(json()['command']))
      return { status: 204 }
    },
    'GET /websocket': ({ server }) => {
      const now = Date.now()
      const times = (this.#tokenTimes.get(server.uuid) ?? []).filter((time) => now - time < 60_000)
      if (times.length >= this.tokensPerMinute)
        return {
          ...error(429, 'ThrottleRequestsException', 'Too Many Attempts.'),
          headers: { 'retry-after': '60' },
        }
      this.#tokenTimes.set(server.uuid, [...times, now])
      return { status: 200, body: { data: this.wings.token(server.uuid) } }
    },
    ...backupLists,
  }
}
