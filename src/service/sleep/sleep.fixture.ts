import { mkdir, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import pino from 'pino'
import { expect, onTestFinished } from 'vitest'
import { allServerFiles } from '../files/all-server-files.ts'
import { serverFolders } from '../files/server-folders.ts'
import { RuntimeFixture, tempFolder } from '../runtime/runtime.fixture.ts'
import type { ServerSpec } from '../runtime/types.ts'
import { heldClock } from '../service.fixture.ts'
import type { SleepRule } from '../store/servers.ts'
import type { StoredMark } from '../store/stats.ts'
import { Sleep } from './sleep.ts'

export const MINUTE = 60_000

/** For tests: a runtime whose servers sleep, a clock that stands still, and what the log was told. */
export class SleepFixture {
  readonly it: RuntimeFixture
  readonly sleep: Sleep
  readonly clock: ReturnType<typeof heldClock>
  readonly told: string[] = []
  readonly marks: StoredMark[] = []

  private constructor(it: RuntimeFixture, clock: ReturnType<typeof heldClock>) {
    this.it = it
    this.clock = clock
    const { runtime, dataDir } = it
    const files = allServerFiles({
      folders: serverFolders(dataDir),
      running: (id) => !runtime.isDown(id),
      ...{ maxFileBytes: null, quotaBytes: null },
    })
    this.sleep = new Sleep({
      ...{ runtime, files, clock, log: pino({ level: 'silent' }), marks: () => this.marks },
      icon: async () => 'data:image/png;base64,AAAA',
      told: {
        slept: (id) => void this.told.push(`${id} slept`),
        woken: (id, name) => void this.told.push(`${id} woken by ${name}`),
      },
    })
  }

  /** In the folder of an earlier one, as after a restart of the service. */
  static async open(dataDir?: string): Promise<SleepFixture> {
    let folder = dataDir
    if (folder === undefined) {
      const temporary = await tempFolder()
      onTestFinished(temporary.remove)
      folder = temporary.path
    }
    const opened = new SleepFixture(await RuntimeFixture.open({ dataDir: folder }), heldClock())
    onTestFinished(() => opened.close())
    return opened
  }

  async close(): Promise<void> {
    await this.it.close()
    await this.sleep.close()
  }

  status(id: string): unknown {
    return this.it.runtime.status(id)?.status
  }

  async minutes(count: number): Promise<void> {
    this.clock.forward(count * MINUTE)
    await this.sleep.look()
  }

  /** Adds it, starts it, and lets so many minutes go by that it sleeps. */
  async asleep(id: string, rule: SleepRule['wake'], more: Partial<ServerSpec> = {}): Promise<ServerSpec> {
    const spec = await this.it.add(id, { sleep: { afterMinutes: 10, wake: rule }, ...more })
    await this.it.order(id, 'start')
    await this.it.until(id, 'online')
    await this.minutes(10)
    await this.it.until(id, 'sleeping')
    await this.sleep.look()
    return spec
  }

  async write(spec: ServerSpec, name: string, text: string): Promise<void> {
    const file = path.join(spec.folder, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text)
    // What a sleeping server shows is read again after a while.
    this.clock.forward(MINUTE)
  }

  /** All lines of its console so far. */
  async lines(id: string): Promise<string> {
    const { items } = (await this.it.call('GET', `/servers/console/${id}?limit=200`)).body
    return items.map(({ text }: { text: string }) => text).join('\n')
  }
}

/** A raw connection: what came so far, and whether it was closed. */
export class RawPlayer {
  readonly socket: Socket
  received = Buffer.alloc(0)
  isClosed = false

  constructor({ port }: Pick<ServerSpec, 'port'>) {
    this.socket = connect({ host: '127.0.0.1', port })
    this.socket.on('data', (piece: Buffer) => (this.received = Buffer.concat([this.received, piece])))
    this.socket.on('error', () => undefined)
    this.socket.on('close', () => (this.isClosed = true))
    onTestFinished(() => void this.socket.destroy())
  }

  send(...bytes: (number | Buffer)[]): this {
    this.socket.write(Buffer.concat(bytes.map((one) => (typeof one === 'number' ? Buffer.of(one) : one))))
    return this
  }

  closed(): Promise<void> {
    return expect.poll(() => this.isClosed).toBe(true)
  }
}
