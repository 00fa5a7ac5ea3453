import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type CatalogSettings, SETTINGS_FILE } from '../../src/service/software/catalogs/settings.ts'
import { CHEAP_HASHES, type Program } from '../e2e/fixtures/program.ts'
import { ownPort } from '../fixtures/game-ports.ts'
import type { Stage } from './stage.ts'

const HOST = '127.0.0.1'
/** Of a service that is started by itself, on the data of one that was not asked for whole hashes. */
export const hashesOfHosts = { NODE_OPTIONS: CHEAP_HASHES }
export const ACCOUNT = { email: 'owner@example.com', password: 'a password that is long enough' }

export interface HostOptions {
  /** Its data folder; one of the stage's own unless given. */
  data?: string
  /** Bytes a server may hold. */
  quotaBytes?: number
  /** Where server software is downloaded from; nowhere unless given. */
  catalogs?: CatalogSettings
  /** Its server's; the demo unless given. */
  software?: string
  /** More options of its command line. */
  more?: readonly string[]
  /** More variables than it has otherwise. */
  environment?: NodeJS.ProcessEnv
  /** Accounts beside the one that everything is done with. */
  others?: readonly Account[]
  /** Hashes passwords as people's do: for who tries how much of that it bears. */
  wholeHashes?: boolean
}

export interface Account {
  email: string
  password: string
}

/** A service that somebody runs, with one account and one server, which is never started. */
export class Host {
  readonly host = HOST
  readonly data: string
  readonly port = ownPort()
  serverId = ''
  readonly #stage: Stage
  readonly #more: string[]
  readonly #environment: NodeJS.ProcessEnv
  #program: Program | null = null

  private constructor(stage: Stage, options: HostOptions) {
    this.#stage = stage
    this.data = options.data ?? stage.at('service')
    const { NODE_OPTIONS: flags, ...environment } = options.environment ?? {}
    const hashes = options.wholeHashes ? undefined : CHEAP_HASHES
    this.#environment = { ...environment, NODE_OPTIONS: [hashes, flags].filter(Boolean).join(' ') }
    this.#more = [
      ...['--catalogs', options.catalogs ? 'on' : 'off'],
      ...(options.quotaBytes === undefined ? [] : ['--quota-bytes', String(options.quotaBytes)]),
      ...(options.more ?? []),
    ]
  }

  static async start(stage: Stage, options: HostOptions = {}): Promise<Host> {
    const host = new Host(stage, options)
    for (const { email, password } of [ACCOUNT, ...(options.others ?? [])]) {
      const place = ['--data', host.data, '--create-account', email]
      const made = stage.start('service', place, `${password}\n`, host.#environment)
      const { code } = await made.ended
      if (code !== 0) throw new Error(`The account could not be made:\n${made.output}`)
    }
    if (options.catalogs)
      await writeFile(path.join(host.data, SETTINGS_FILE), JSON.stringify(options.catalogs))
    await host.start()
    host.serverId = await host.makeServer(await host.signIn(), options.software)
    await mkdir(host.folder, { recursive: true })
    return host
  }

  /** Signs in and answers the token. */
  async signIn(account: Account = ACCOUNT): Promise<string> {
    return ((await this.ask('POST', '/auth/login', null, account)) as { token: string }).token
  }

  /** Makes a server and answers its id. */
  async makeServer(token: string, id = 'demo'): Promise<string> {
    const versions = (await this.ask('GET', `/software/${id}/versions`, token)) as { items: { id: string }[] }
    const made = (await this.ask('POST', '/servers', token, {
      name: 'Faults',
      software: { id, version: versions.items[0]?.id },
      memoryMb: 512,
    })) as { id: string }
    return made.id
  }

  /** Of its process. */
  get pid(): number {
    return this.#program?.pid ?? 0
  }

  /** The folder of the server that everything is sent to. */
  get folder(): string {
    return path.join(this.data, 'servers', this.serverId, 'arrived')
  }

  /** Starts it (again), on the port it had. */
  async start(): Promise<void> {
    const place = ['--data', this.data, '--host', HOST, '--port', String(this.port)]
    this.#program = this.#stage.start('service', [...place, ...this.#more], undefined, this.#environment)
    await this.#program.says(/^Service: (\S+)$/m)
  }

  /** Ends its process at once, as a crash would. */
  signalKill(): void {
    this.#program?.signal('SIGKILL')
  }

  /** Asks it to end, and waits for that. */
  async end(): Promise<void> {
    await this.#program?.end()
  }

  /** Resolves when it has ended. */
  async ended(): Promise<void> {
    await this.#program?.ended
  }

  get hasEnded(): boolean {
    return this.#program?.ending !== null
  }

  async ask(method: string, route: string, token: string | null, body?: unknown): Promise<unknown> {
    const answer = await fetch(`http://${HOST}:${this.port}/api/v1${route}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
}
