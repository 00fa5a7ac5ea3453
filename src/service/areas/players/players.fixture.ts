import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'vitest'
import { type Answer, startTestService, type TestService } from '../../service.fixture.ts'
import type { ServiceOptions } from '../../service.ts'

export const STEVE = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
export const ALEX = '61699b2e-d327-4a01-9f1e-0ea8c3f06bc6'

/** For tests: a service with one server, its folder, and what is asked of its players. */
export class PlayersFixture {
  readonly service: TestService
  readonly token: string
  readonly serverId: string

  private constructor(service: TestService, token: string, serverId: string) {
    this.service = service
    this.token = token
    this.serverId = serverId
  }

  static async start(options: Partial<ServiceOptions> = {}): Promise<PlayersFixture> {
    const service = await startTestService(options)
    const token = await service.account('ann@example.org')
    const body = { name: 'Mine', software: { id: 'demo', version: '1.20.4' }, memoryMb: 512 }
    const { body: made } = await service.call('POST /servers', { token, body })
    return new PlayersFixture(service, token, made.id)
  }

  get folder(): string {
    return path.join(this.service.service.dataDir, 'servers', this.serverId)
  }

  async write(name: string, content: unknown): Promise<void> {
    const file = path.join(this.folder, name)
    await mkdir(path.dirname(file), { recursive: true })
    const isBytes = typeof content === 'string' || content instanceof Uint8Array
    await writeFile(file, isBytes ? content : JSON.stringify(content))
  }

  async readJson(name: string): Promise<unknown> {
    return JSON.parse(await readFile(path.join(this.folder, name), 'utf8'))
  }

  call(method: string, what: string, body?: unknown): Promise<Answer> {
    const place = what.replace('ID', this.serverId)
    return this.service.call(`${method} /servers/${place}`, { token: this.token, ...(body ? { body } : {}) })
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a test reads of it, it asserts
  async items(what: string): Promise<any[]> {
    const { status, body } = await this.call('GET', what)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.items
  }

  act(body: object): Promise<Answer> {
    return this.call('POST', 'players/act/ID', body)
  }

  async online(): Promise<void> {
    await this.call('POST', 'power/ID', { action: 'start' })
    await expect
      .poll(async () => (await this.call('GET', 'status/ID')).body.status, { timeout: 30_000 })
      .toBe('online')
  }

  async offline(): Promise<void> {
    await this.call('POST', 'power/ID', { action: 'stop' })
    await expect
      .poll(async () => (await this.call('GET', 'status/ID')).body.status, { timeout: 30_000 })
      .toBe('offline')
  }
}
