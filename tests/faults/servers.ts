import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import type { Host } from './host.ts'

/** How often a status is asked for while one is awaited, in milliseconds. */
const LOOK_MS = 20
/** How long a status is awaited unless somebody says otherwise, in milliseconds. */
const PATIENCE = 60_000

/** What server is to be made. */
export interface Wished {
  software: string
  version: string
  memoryMb?: number
}

/** The servers of a service, by its API, as its owner has them. */
export class Servers {
  readonly host: Host
  readonly #token: string

  private constructor(host: Host, token: string) {
    this.host = host
    this.#token = token
  }

  /** Signs in. */
  static async of(host: Host): Promise<Servers> {
    return new Servers(host, await host.signIn())
  }

  ask(method: string, route: string, body?: unknown): Promise<unknown> {
    return this.host.ask(method, route, this.#token, body)
  }

  /** Bytes of an answer; the code of its error where there are none. */
  async bytes(route: string): Promise<Buffer | string> {
    const answer = await fetch(`http://${this.host.host}:${this.host.port}/api/v1${route}`, {
      headers: { Authorization: `Bearer ${this.#token}` },
    })
    try {
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (answer.ok) return bytes
      return (JSON.parse(bytes.toString()) as { error: { code: string } }).error.code
    } catch {
      return 'broken off'
    }
  }

  /** Creates one and answers its id; its installation has begun. The license is accepted. */
  async create({ software, version, memoryMb = 256 }: Wished): Promise<string> {
    const server = { name: software, software: { id: software, version }, memoryMb, acceptLicense: true }
    return ((await this.ask('POST', '/servers', server)) as { id: string }).id
  }

  async power(id: string, action: 'start' | 'stop' | 'kill'): Promise<void> {
    await this.ask('POST', `/servers/power/${id}`, { action })
  }

  /** Waits for one of these statuses and answers it. Rejects where none comes in time. */
  async until(id: string, wanted: readonly string[], patience = PATIENCE): Promise<string> {
    const end = Date.now() + patience
    for (;;) {
      const { status } = (await this.ask('GET', `/servers/status/${id}`)) as { status: string }
      if (wanted.includes(status)) return status
      if (Date.now() > end) throw new Error(`It is still ${status} after ${Math.round(patience / 1000)} s.`)
      await after(LOOK_MS)
    }
  }

  /** Sends a file, as the panel does. */
  async upload(id: string, name: string, bytes: Buffer): Promise<void> {
    const form = new FormData()
    form.append('path', name)
    form.append('file', new Blob([new Uint8Array(bytes)]), name)
    const answer = await fetch(
      `http://${this.host.host}:${this.host.port}/api/v1/servers/files/upload/${id}`,
      {
        ...{ method: 'POST', headers: { Authorization: `Bearer ${this.#token}` }, body: form },
      },
    )
    const text = await answer.text()
    if (!answer.ok) throw new Error(`The upload of ${name} was refused: ${answer.status} ${text}`)
  }

  folderOf(id: string): string {
    return path.join(this.host.data, 'servers', id)
  }

  /** The newest lines of its console. */
  async said(id: string): Promise<string[]> {
    const { items } = (await this.ask('GET', `/servers/console/${id}`)) as { items: { text: string }[] }
    return items.map(({ text }) => text)
  }
}
